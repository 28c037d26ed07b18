"""LVS manager: the task's labels and fuzzy value sets, matched, and learning from each crawl."""

from hiwe.lvs.element_view import ElementView
from hiwe.lvs.match import LabelMatch
from hiwe.lvs.row import Row
from hiwe.lvs.table import LvsTable
from hiwe.lvs.value import Provenance, WeightChange, WeightedValue

__all__ = [
    "ElementView",
    "LabelMatch",
    "LvsTable",
    "Provenance",
    "Row",
    "WeightChange",
    "WeightedValue",
]
