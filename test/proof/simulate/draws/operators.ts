// Requests of administrators about operators.
import type { CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { Models } from '../models.ts'

/** A request that waits, mostly. */
function requestId({ operators }: Models, { prng }: Drawing): string {
  const all = prng.chance(0.85) ? operators.waiting : [...operators.requests.values()]
  return prng.chance(0.03) ? 'ghost' : (recent(prng, all)?.id ?? 'ghost')
}

export const operatorDraws = (models: Models) =>
  ({
    CreateOperator: (drawing) => {
      const { prng } = drawing
      const { operators, waiting } = models.operators
      const old = recent(prng, prng.chance(0.5) ? waiting : [...operators.values()])
      const name = drawing.name('fatou')
      const email = old !== undefined && prng.chance(0.1) ? old.email : `${name}@service.example`
      const token = { tokenHash: drawing.name('hash-'), sealedToken: 'sealed:v1:token' }
      const role = prng.pick(['admin', 'finance', 'finance', 'curator', 'support'] as const)
      return { type: 'CreateOperator', name, email, role, ...token, ...(prng.chance(0.6) ? { isDualControlled: true } : {}) }
    },
    ApproveOperator: (drawing) => {
      const id = requestId(models, drawing)
      const isNew = models.operators.requests.get(id)?.kind !== 'revoke'
      const email = { to: 'fatou@service.example', sealed: 'sealed:v1:mail' }
      return { type: 'ApproveOperator', id, credential: isNew ? { tokenHash: drawing.name('mailed-'), email } : null }
    },
    RefuseOperator: (drawing) => ({ type: 'RefuseOperator', id: requestId(models, drawing), reason: 'Non.' }),
    RevokeOperator: ({ prng }) => {
      const found = prng.chance(0.05) ? undefined : recent(prng, [...models.operators.operators.keys()])
      return { type: 'RevokeOperator', id: found ?? 'ghost', ...(prng.chance(0.6) ? { isDualControlled: true } : {}) }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
