rm -rf /etc/enginebridge /var/lib/enginebridge /var/log/enginebridge /run/enginebridge
if getent passwd enginebridge >/dev/null; then userdel enginebridge; fi
if getent group enginebridge >/dev/null; then groupdel enginebridge; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
