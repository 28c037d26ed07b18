"""Choices that compare or combine are no values."""

from __future__ import annotations

import pytest

from hiwe.form.operators import are_operators


@pytest.mark.parametrize(
    "choices",
    [
        ["=", "!=", "contains", "ends with", "starts with", ">", "≥", "<", "like", "glob", "date"],
        ["Contains", "Is exactly"],
        ["", "begins with", "ends with"],
        ["AND", "OR", "NOT"],
        ["und", "oder", "und nicht"],
        ["enthält", "beginnt mit", "ist"],
        ["содержит", "не содержит", "равно"],
        ["All words", "Any word", "Exact phrase"],
        ["<", "=", ">"],
    ],
)
def test_operators_are_recognised(choices):
    assert are_operators(choices)


@pytest.mark.parametrize(
    "choices",
    [
        ["Action", "Comedy", "Drama"],
        ["is", "in", "de", "fr"],
        ["in", "is"],
        ["before", "after"],
        ["and"],
        [],
        ["Contains", "Comedy", "Drama", "Horror"],
        ["Yes", "No"],
        ["M", "L", "XL"],
        ["1 - 5", "> 5"],
    ],
)
def test_values_are_not(choices):
    assert not are_operators(choices)
