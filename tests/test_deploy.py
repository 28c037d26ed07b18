"""The files of deploy/ agree with the package, with each other and with what the operator takes."""

from __future__ import annotations

import json
import re
import shlex
import tomllib

import pytest
import yaml

from hiwe.cli import parser
from hiwe.task import load_task

BROWSER = "browser"  # the resource that hiwe.engine.ray asks for
# Debian's releases and the Python they ship.
PYTHONS = {"bookworm": (3, 11), "trixie": (3, 13)}

# KubeRay's API reference (ray.io/v1), what of it is used: a field is a type, a nested table, or a
# list of one of them; `*` stands for any name, a leading `!` marks a field that must be there.
CONTAINER = {
    "!name": str,
    "!image": str,
    "!resources": {"!requests": {"*": str}, "!limits": {"*": str}},
    "securityContext": {"allowPrivilegeEscalation": bool, "capabilities": {"drop": [str]}},
    "envFrom": [{"secretRef": {"!name": str}}],
    "volumeMounts": [{"!name": str, "!mountPath": str, "readOnly": bool}],
}
VOLUME = {
    "!name": str,
    "emptyDir": {"medium": str, "sizeLimit": str},
    "configMap": {"!name": str},
    "persistentVolumeClaim": {"!claimName": str},
}
POD = {
    "!spec": {
        "!containers": [CONTAINER],
        "volumes": [VOLUME],
        "terminationGracePeriodSeconds": int,
    }
}
CLUSTER = {
    "!rayVersion": str,
    "enableInTreeAutoscaling": bool,
    "autoscalerOptions": {"upscalingMode": str, "idleTimeoutSeconds": int},
    "!headGroupSpec": {"!rayStartParams": {"*": str}, "!template": POD},
    "!workerGroupSpecs": [
        {
            "!groupName": str,
            "!replicas": int,
            "!minReplicas": int,
            "!maxReplicas": int,
            "!rayStartParams": {"*": str},
            "!template": POD,
        }
    ],
}
NAMED = {"!apiVersion": str, "!kind": str, "!metadata": {"!name": str}}
SHAPES = {
    ("v1", "ConfigMap"): NAMED | {"!data": {"*": str}},
    ("v1", "PersistentVolumeClaim"): NAMED
    | {"!spec": {"!accessModes": [str], "!resources": {"!requests": {"!storage": str}}}},
    ("ray.io/v1", "RayJob"): NAMED
    | {
        "!spec": {
            "!entrypoint": str,
            "backoffLimit": int,
            "shutdownAfterJobFinishes": bool,
            "ttlSecondsAfterFinished": int,
            "!rayClusterSpec": CLUSTER,
        }
    },
}


def faults(value, shape, path=""):
    """What keeps a value from having a shape."""
    if isinstance(shape, list):
        if not isinstance(value, list) or not value:
            return [f"{path} is no list"]
        return [f for at, one in enumerate(value) for f in faults(one, shape[0], f"{path}[{at}]")]
    if isinstance(shape, type):
        return [] if type(value) is shape else [f"{path} is no {shape.__name__}"]
    if not isinstance(value, dict):
        return [f"{path} is no mapping"]
    known = {name.removeprefix("!"): inner for name, inner in shape.items()}
    found = [f"{path}.{n[1:]} is missing" for n in shape if n[0] == "!" and n[1:] not in value]
    for name, inner in value.items():
        if name not in known and "*" not in known:
            found.append(f"{path}.{name} is no field")
        else:
            found += faults(inner, known.get(name, known.get("*")), f"{path}.{name}")
    return found


@pytest.fixture
def documents(root):
    text = (root / "deploy" / "kuberay.yaml").read_text(encoding="utf-8")
    return {document["kind"]: document for document in yaml.safe_load_all(text)}


@pytest.fixture
def container_file(root):
    return (root / "deploy" / "Containerfile").read_text(encoding="utf-8")


@pytest.fixture
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _found(pattern, text):
    """What the group of a pattern finds in a text; it must be there."""
    found = re.search(pattern, text, re.MULTILINE)
    assert found is not None, pattern
    return found[1]


def test_each_document_has_the_shape_that_the_operator_takes(documents):
    assert set(documents) == {kind for _, kind in SHAPES}
    for document in documents.values():
        shape = SHAPES[document["apiVersion"], document["kind"]]
        assert faults(document, shape, document["kind"]) == []


def test_a_fault_in_a_document_is_seen(documents):
    cluster = documents["RayJob"]["spec"]["rayClusterSpec"]
    del cluster["headGroupSpec"]["template"]
    cluster["headGroupSpec"]["rayStartParams"]["num-cpus"] = 0
    cluster["workerGroupSpecs"][0]["maxReplica"] = 4
    assert faults(documents["RayJob"], SHAPES["ray.io/v1", "RayJob"], "RayJob") == [
        "RayJob.spec.rayClusterSpec.headGroupSpec.template is missing",
        "RayJob.spec.rayClusterSpec.headGroupSpec.rayStartParams.num-cpus is no str",
        "RayJob.spec.rayClusterSpec.workerGroupSpecs[0].maxReplica is no field",
    ]


def test_the_job_is_a_command_that_hiwe_knows(documents, tmp_path):
    words = shlex.split(documents["RayJob"]["spec"]["entrypoint"])
    assert words[0] == "hiwe"
    typed = parser().parse_args(words[1:])
    assert (typed.engine, typed.ray_address) == ("ray", "auto")
    head = documents["RayJob"]["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    places = {m["name"]: m["mountPath"] for m in head["containers"][0]["volumeMounts"]}
    assert str(typed.config) == f"{places['task']}/task.yaml"
    assert str(typed.out).startswith(f"{places['run']}/")
    (group,) = documents["RayJob"]["spec"]["rayClusterSpec"]["workerGroupSpecs"]
    resources = json.loads(json.loads(group["rayStartParams"]["resources"]))
    assert typed.workers == group["maxReplicas"] * resources[BROWSER]
    assert group["minReplicas"] >= 1, "a cluster without the resource is taken for one without it"


def test_the_task_is_one_and_its_archive_goes_where_every_node_reaches(documents, tmp_path):
    for name, text in documents["ConfigMap"]["data"].items():
        (tmp_path / name).write_text(text)
    task = load_task(tmp_path / "task.yaml")
    assert task.address.startswith("s3://")


def test_what_is_mounted_is_there_and_what_is_named_is_in_the_file(documents):
    cluster = documents["RayJob"]["spec"]["rayClusterSpec"]
    pods = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    named = {"ConfigMap": set(), "PersistentVolumeClaim": set()}
    for pod in (group["template"]["spec"] for group in pods):
        (container,) = pod["containers"]
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        assert {mount["name"] for mount in container["volumeMounts"]} == set(volumes)
        for volume in volumes.values():
            named["ConfigMap"] |= {volume.get("configMap", {}).get("name")}
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            named["PersistentVolumeClaim"] |= {claim}
    for kind, names in named.items():
        assert names - {None} == {documents[kind]["metadata"]["name"]}
    worker = cluster["workerGroupSpecs"][0]["template"]["spec"]
    assert "/dev/shm" in [m["mountPath"] for m in worker["containers"][0]["volumeMounts"]]
    assert worker["volumes"][0]["emptyDir"]["medium"] == "Memory"
    assert len({p["template"]["spec"]["containers"][0]["image"] for p in pods}) == 1


def test_ray_is_of_one_version_that_hiwe_takes(documents, container_file, project):
    version = _found(r"^ARG RAY_VERSION=(\S+)$", container_file)
    assert documents["RayJob"]["spec"]["rayClusterSpec"]["rayVersion"] == version
    (wanted,) = project["optional-dependencies"]["ray"]
    least, most = (_found(pattern, wanted) for pattern in (r"^ray>=([\d.]+)", r",<(\d+)$"))
    numbers = [tuple(map(int, text.split("."))) for text in (least, version, most)]
    assert numbers[0] <= numbers[1] < numbers[2]


def test_the_image_has_what_hiwe_needs(container_file, project, root):
    release = _found(r"^FROM \S*debian:(\w+)", container_file)
    least = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    assert PYTHONS[release] >= least
    extras = _found(r'"/src\[([\w,]+)\]"', container_file).split(",")
    assert set(extras) == {"ray", "remote"}
    assert set(extras) <= set(project["optional-dependencies"])
    packages = _found(r"--no-install-recommends \\\n((?:\s+[\w.+-]+ \\\n)+)", container_file)
    assert {"chromium", "python3", "python3-venv", "wget", "tini"} <= set(packages.split())
    copied = re.findall(r"^COPY (.+) \S+$", container_file, re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    assert all((root / name).exists() for name in names)
    assert {"hiwe", "fixtures", "pyproject.toml", "constraints.txt", "README.md"} <= names
