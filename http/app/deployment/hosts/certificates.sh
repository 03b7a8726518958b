#!/bin/sh
# Makes the authority of a cluster and a certificate for each host, in this folder. Run it once, on a machine that you keep:
#   sh certificates.sh node-1=10.0.0.11 node-2=10.0.0.12 node-3=10.0.0.13
# A host needs ca.pem, which is no secret, its own pair and nothing else; ca-key.pem stays where it was made.
set -eu
umask 077
[ -f ca-key.pem ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj '/CN=Cauri cluster' \
  -addext 'basicConstraints=critical,CA:TRUE' -keyout ca-key.pem -out ca.pem 2>/dev/null
for host in "$@"; do
  name=${host%%=*}
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name" -keyout "$name-key.pem" -out "$name.csr" 2>/dev/null
  printf 'subjectAltName=DNS:%s,DNS:localhost,IP:%s,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n' "$name" "${host#*=}" > "$name.ext"
  openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 3650 -extfile "$name.ext" -out "$name.pem" 2>/dev/null
  rm "$name.csr" "$name.ext"
done
chmod 644 ca.pem
