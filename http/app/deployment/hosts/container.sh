#!/bin/bash
# Runs a host of compose.yaml, called $HOST_NAME: etcd and Patroni, by the files that the page "Several hosts" installs. It ends when one of
# them ends, and is started again.
set -euo pipefail
for user in postgres etcd; do
  install -d -o $user -g $user -m 700 /etc/cauri/tls-$user
  for name in ca host host-key; do install -o $user -g $user -m 600 /run/secrets/$name /etc/cauri/tls-$user/$name.pem; done
done
install -d -o etcd -g etcd -m 700 /var/lib/etcd
install -d -o postgres -g postgres -m 700 /var/lib/postgresql/15
install -d -o postgres -g postgres -m 2775 /var/run/postgresql
cd /usr/local/share/cauri
# Here the nodes have the names node-1 to node-3.
sed "s/node-/postgres-/g; s/NODE/$HOST_NAME/g; s,/etc/cauri/tls,/etc/cauri/tls-etcd," etcd.env > /etc/default/etcd
sed "s/node-/postgres-/g; s/NODE/$HOST_NAME/g; s,/etc/cauri/tls,/etc/cauri/tls-postgres," patroni.yaml > /etc/patroni/config.yml
(set -a && . /etc/default/etcd && exec setpriv --reuid=etcd --regid=etcd --init-groups etcd) &
HOME=/var/lib/postgresql setpriv --reuid=postgres --regid=postgres --init-groups patroni /etc/patroni/config.yml &
trap 'kill $(jobs -p)' TERM INT
wait -n || true
kill $(jobs -p) 2>/dev/null || true
wait
