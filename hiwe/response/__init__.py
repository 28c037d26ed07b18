"""Response analyser: verdict, records, pagers, coverage."""
