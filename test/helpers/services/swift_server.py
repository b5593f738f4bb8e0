"""OpenStack Swift with its S3 interface and two users in one process: swift_server.py FOLDER.

Pages of a list hold five objects. Prints its port when it answers. It keeps everything below FOLDER and ends when its standard input does.
"""
import os
import sys
from array import array

import eventlet

eventlet.patcher.monkey_patch()
from eventlet import listen, wsgi  # noqa: E402
from swift.account.server import AccountController  # noqa: E402
from swift.common import storage_policy, utils  # noqa: E402
from swift.common.ring import RingData  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.server import ObjectController  # noqa: E402

PROXY = """
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
max_bucket_listing = 5
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_reader = reading
[filter:catch_errors]
use = egg:swift#catch_errors
"""


class Cache:
    """What memcached does for several proxies."""

    def __init__(self):
        self.kept = {}

    def get(self, key, raise_on_error=False):
        return self.kept.get(key)

    def set(self, key, value, serialize=True, time=0, min_compress_len=0, raise_on_error=False):
        self.kept[key] = value

    def delete(self, key, server_key=None):
        self.kept.pop(key, None)

    def incr(self, key, delta=1, time=0):
        self.kept[key] = int(self.kept.get(key) or 0) + delta
        return self.kept[key]


def start(folder):
    os.makedirs(folder + "/disk/a", exist_ok=True)
    utils.HASH_PATH_SUFFIX = b"vehi"
    utils.HASH_PATH_PREFIX = b""
    utils.validate_configuration = lambda: None
    zero = storage_policy.StoragePolicy(0, "zero", is_default=True)
    storage_policy._POLICIES = storage_policy.StoragePolicyCollection([zero])
    conf = {"devices": folder + "/disk", "mount_check": "false", "swift_dir": folder, "disable_fallocate": "true"}
    servers = {"account": AccountController, "container": ContainerController, "object": ObjectController}
    for name, server in servers.items():
        socket = listen(("127.0.0.1", 0))
        place = {"ip": "127.0.0.1", "port": socket.getsockname()[1]}
        copies = {"replication_ip": place["ip"], "replication_port": place["port"]}
        device = {"id": 0, "zone": 0, "region": 1, "device": "a", "weight": 1, "meta": "", **place, **copies}
        RingData([array("H", [0])], [device], 32).save(f"{folder}/{name}.ring.gz")
        eventlet.spawn(wsgi.server, socket, server(dict(conf)), log_output=False, debug=False)
    with open(folder + "/proxy.conf", "w") as out:
        out.write(PROXY.format(folder=folder))
    return loadapp(folder + "/proxy.conf")


def end_with_parent():
    eventlet.tpool.execute(sys.stdin.buffer.read)
    os._exit(0)


app = start(sys.argv[1])
cache = Cache()


def serve(env, start_response):
    env["swift.cache"] = cache
    return app(env, start_response)


socket = listen(("127.0.0.1", 0))
eventlet.spawn(end_with_parent)
print(socket.getsockname()[1], flush=True)
wsgi.server(socket, serve, log_output=False, debug=False)
