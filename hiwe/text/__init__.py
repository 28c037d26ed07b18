"""Label text, below everything else: the words of a label, and how similar two labels are."""

from hiwe.text.counted import count
from hiwe.text.likeness import (
    MISSPELT_LENGTH,
    PLAIN_RATIOS,
    is_abbreviation,
    misspelt,
    nearest,
    similarity,
    word_similarity,
    words_similarity,
)
from hiwe.text.words import (
    SOFT_WEIGHT,
    Word,
    base_language,
    clean,
    ends_otherwise,
    fold,
    is_soft,
    name_words,
    names_agent,
    normalise,
    remarks,
    stem,
    words,
)

__all__ = [
    "MISSPELT_LENGTH",
    "PLAIN_RATIOS",
    "SOFT_WEIGHT",
    "Word",
    "base_language",
    "clean",
    "count",
    "ends_otherwise",
    "fold",
    "is_abbreviation",
    "is_soft",
    "misspelt",
    "name_words",
    "names_agent",
    "nearest",
    "normalise",
    "remarks",
    "similarity",
    "stem",
    "word_similarity",
    "words",
    "words_similarity",
]
