"""Install pip into the environment that runs this, from the package index, with Python alone.

For machines where neither ensurepip (Debian's python3-venv) nor apt-get can be used. The wheel's
address and hash come from the index's JSON page (PEP 691); a wheel runs as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

INDEX = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple/").rstrip("/") + "/pip/"
ACCEPT = "application/vnd.pypi.simple.v1+json"


def fetch(url: str, accept: str = "*/*") -> bytes:
    """Return the body at `url`."""
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=60) as response:
        body: bytes = response.read()
    return body


def newest_wheel() -> tuple[str, str]:
    """Return address and SHA-256 of the newest final pip wheel of the index."""
    files = json.loads(fetch(INDEX, ACCEPT))["files"]
    wheels = [file for file in files if file["filename"].endswith("-py3-none-any.whl")]
    finals = [w for w in wheels if w["filename"].split("-")[1].replace(".", "").isdigit()]
    newest = max(finals, key=lambda w: [int(p) for p in w["filename"].split("-")[1].split(".")])
    return urljoin(INDEX, newest["url"]), newest["hashes"]["sha256"]


def main() -> int:
    """Fetch, check and run the wheel; return pip's exit code."""
    url, sha256 = newest_wheel()
    body = fetch(url)
    if hashlib.sha256(body).hexdigest() != sha256:
        print(f"setup: {url} does not have the hash that the index gives", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(folder) / url.rsplit("/", 1)[-1].split("#")[0]
        wheel.write_bytes(body)
        command = [sys.executable, f"{wheel}/pip", "install", "--no-index", "--quiet", str(wheel)]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
