"""The benchmark of ranked assignments measures what the issue of ranking asks for."""

from __future__ import annotations

from hiwe.bench.assignments import FORMS, run


def test_first_thousand_of_huge_products_take_little_memory_and_cover_many_values():
    figures = run(rounds=1)
    assert len(figures) == 3 * len(FORMS)
    for found in figures:
        assert found.product >= 1e12
        assert found.first_ms > 0
        assert found.peak_kib < 1024
        if "all weigh 1" in found.form:
            assert found.covered == 1.0
