"""docker-py through the bridge: one line of JSON for each step. Arguments: socket, API version, name."""
import io
import json
import sys
import time

import docker

socket, version, name = sys.argv[1:4]
if version == "-":
    print(docker.__version__ if hasattr(docker, "__version__") else docker.version)
    sys.exit(0)
api = docker.APIClient(base_url="unix://" + socket, version=version, timeout=50)
SCRIPT = 'echo out; echo err >&2; while read line; do echo "got $line"; done; sleep 600'
began = int(time.time()) - 1
minor = int(api.api_version.split(".")[1])


class NoSuchCommand(Exception):
    pass


def same(what, got, wanted):
    if got != wanted:
        raise AssertionError("%s: got %r, wanted %r" % (what, got, wanted))


def create():
    host = api.create_host_config(mem_limit="64m", port_bindings={80: ("127.0.0.1",)}, dns=["192.0.2.53"])
    made = api.create_container(
        "busybox", ["sh", "-c", SCRIPT], name=name, environment={"COLOUR": "blue"},
        ports=[80], stdin_open=True, host_config=host)
    same("length of the id", len(made["Id"]), 64)


def start():
    api.start(name)


def logs():
    end = time.monotonic() + 30
    said = sorted(api.logs(name).split(b"\n"))
    while len(said) < 3 and time.monotonic() < end:
        time.sleep(0.1)
        said = sorted(api.logs(name).split(b"\n"))
    same("logs", said, [b"", b"err", b"out"])


def attach():
    stream = api.attach_socket(name, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
    raw = getattr(stream, "_sock", stream)
    raw.settimeout(30)
    raw.sendall(b"hello\n")
    said = b""
    while b"got hello\n" not in said:
        piece = raw.recv(4096)
        if not piece:
            raise AssertionError("attach ended after %r" % said)
        said += piece
    raw.close()
    stream.close()


def execute():
    made = api.exec_create(name, ["sh", "-c", "echo inside; exit 3"])
    same("output of exec", api.exec_start(made["Id"]), b"inside\n")
    facts = api.exec_inspect(made["Id"])
    same("state of exec", (facts["Running"], facts["ExitCode"]), (False, 3))


def inspect():
    facts = api.inspect_container(name)
    same("Memory", facts["HostConfig"]["Memory"], 64 << 20)
    same("Env", "COLOUR=blue" in facts["Config"]["Env"], True)
    same("running", facts["State"]["Running"], True)
    if minor < 52:
        same("IPAddress", "." in facts["NetworkSettings"]["IPAddress"], True)
    same("port", api.port(name, 80)[0]["HostIp"], "127.0.0.1")
    image = api.inspect_image("busybox")
    if minor < 44:
        same("VirtualSize", image["VirtualSize"], image["Size"])
    same("list", api.containers(filters={"id": facts["Id"]})[0]["Names"], ["/" + name])


def events():
    seen = list(api.events(since=began, until=int(time.time()) + 1, filters={"container": name}, decode=True))
    actions = [event.get("status" if minor < 52 else "Action") for event in seen]
    same("events", ("create" in actions, "start" in actions), (True, True))


def build():
    tag = name + "-image"
    said = list(api.build(fileobj=io.BytesIO(b'FROM busybox\nCMD ["echo", "built"]\n'), tag=tag, decode=True, rm=True))
    same("errors of the build", [line for line in said if "error" in line], [])
    same("Cmd of what was built", api.inspect_image(tag)["Config"]["Cmd"], ["echo", "built"])
    api.remove_image(tag, force=True)


def cp():
    import tarfile
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        facts = tarfile.TarInfo("given")
        facts.size = 8
        archive.addfile(facts, io.BytesIO(b"carried\n"))
    api.put_archive(name, "/tmp", held.getvalue())
    stream, stat = api.get_archive(name, "/tmp/given")
    same("stat", stat["size"], 8)
    with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as archive:
        same("what was copied", archive.extractfile("given").read(), b"carried\n")


def system_df():
    usage = api.df()
    mine = api.inspect_container(name)["Id"]
    same("its container", mine in [one["Id"] for one in usage["Containers"]], True)
    same("sizes of images", all(one["Size"] > 0 for one in usage["Images"]) and len(usage["Images"]) > 0, True)


def builder_prune():
    same("reclaimed", isinstance(api.prune_builds()["SpaceReclaimed"], int), True)


def stats():
    same("processor time", api.stats(name, stream=False)["cpu_stats"]["cpu_usage"]["total_usage"] > 0, True)


def rm():
    api.remove_container(name, force=True, v=True)
    try:
        api.inspect_container(name)
    except docker.errors.NotFound:
        return
    raise AssertionError("it is still there")


STEPS = [("create", create), ("start", start), ("logs", logs), ("attach", attach), ("exec", execute),
         ("inspect", inspect), ("events", events), ("build", build), ("cp", cp), ("stats", stats)]
if minor >= 25:
    STEPS.append(("system df", system_df))
if minor >= 31:
    STEPS.append(("builder prune", builder_prune))
STEPS.append(("rm", rm))
for step, deed in STEPS:
    try:
        deed()
        print(json.dumps({"step": step}))
    except Exception as cause:  # whatever it is belongs in the table
        print(json.dumps({"step": step, "why": "%s: %s" % (type(cause).__name__, cause)}))
    sys.stdout.flush()
