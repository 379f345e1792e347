if [ -d /run/systemd/system ]; then systemctl disable --now enginebridge.socket enginebridge.service; fi
