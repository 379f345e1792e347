getent group enginebridge >/dev/null || groupadd --system enginebridge
getent passwd enginebridge >/dev/null ||
  useradd --system --gid enginebridge --home-dir /var/lib/enginebridge --no-create-home --shell /usr/sbin/nologin enginebridge
# The engine's socket belongs to this group.
if getent group docker >/dev/null; then usermod --append --groups docker enginebridge; fi
mkdir -p /run/enginebridge && chown enginebridge:enginebridge /run/enginebridge
if [ -d /run/systemd/system ]; then systemctl daemon-reload; systemctl try-restart enginebridge.service; fi
