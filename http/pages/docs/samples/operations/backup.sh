# DATA_DIR is the folder of the running server; BACKUP and RESTORED do not exist yet.
npm run backup -- "$DATA_DIR" "$BACKUP"
npm run verify -- "$BACKUP"
npm run restore -- "$BACKUP" "$RESTORED"
