"""What wapiti's crawler reaches by itself: it fills forms with default values, attacks nothing.

python wapiti_sites.py WORK.json    # wapiti of the same environment, a process a site
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def main():
    """Crawl the sites of the work that is given, all at once, one request of a site at a time."""
    work = json.loads(Path(sys.argv[1]).read_text())
    running = []
    for site, url in work["sites"].items():
        command = [
            *(Path(sys.executable).with_name("wapiti"), "--url", url, "--scope", "domain"),
            *("--module", "", "--tasks", "1", "--verify-ssl", "0", "--no-bugreport"),
            *("--max-scan-time", str(work["limit_s"]), "--flush-session"),
            *("--store-session", f"{site}-session", "--store-config", f"{site}-config"),
            *("--format", "json", "--output", f"{site}.json"),
        ]
        running.append(subprocess.Popen(command))
    for process in running:
        process.wait()


if __name__ == "__main__":
    main()
