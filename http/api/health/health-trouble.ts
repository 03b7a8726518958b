// Reasons why `/healthz` answers 503, each with the text that an operator reads in the answer.

export type Trouble = 'recovering' | 'stopping' | 'disk_full' | 'log_stopped' | 'lagging' | 'log_unreadable' | 'append_waits'

/** French, as all messages of the API. `{s}` is the measured number of seconds. */
const TEXTS: Readonly<Record<Trouble, string>> = {
  recovering:
    'Le nœud démarre : il relit son journal ou, dans un cluster, le copie de PostgreSQL. Attendez ; la trace « listening » indique la fin.',
  stopping: 'Le nœud s’arrête. Un autre nœud ou son redémarrage prend la suite.',
  disk_full: 'Le disque de DATA_DIR est presque plein : les écritures sont refusées. Libérez de la place ; elles reprennent seules.',
  log_stopped: 'Le journal refuse les écritures après une erreur. La trace donne la cause ; réparez-la, puis redémarrez.',
  lagging: 'Le nœud suit le journal avec {s} s de retard (maximum 10 s). Vérifiez qu’il joint PostgreSQL et que son disque suit.',
  log_unreadable: 'Le journal ne peut pas être lu. Vérifiez le disque de DATA_DIR ; la trace donne l’erreur.',
  append_waits:
    'Une écriture attend le journal depuis {s} s (maximum 2 s). Vérifiez le disque ou, avec WAL=postgres, PostgreSQL et son serveur synchrone.',
}

/** Returns the text of the answer. `measuredMs` is the lag or the wait. */
export function troubleText(trouble: Trouble, measuredMs = 0): string {
  return TEXTS[trouble].replace('{s}', String(Math.floor(measuredMs / 1000)))
}
