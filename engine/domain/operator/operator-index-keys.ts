// Index keys of the audit trail of operators, and of requests for new ones that were decided.
import type { AuditSubject } from '../../contract/operator.ts'
import type { IndexKey } from '../../kernel/index-key.ts'
import type { IndexEvent } from '../noun-module.ts'
import { payloadOf } from '../record.ts'
import type { OperatorAction } from './operator-decide.ts'
import type { OperatorRequest } from './operator-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const OPERATOR_INDEX_KEYS = { audit: 2, operatorRequest: 120, auditBySubject: 121, auditByOperator: 122 } as const

export const OPERATOR_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'operator.acted': (event, index, entries) => {
    const { subject, operator } = payloadOf<OperatorAction>(event)
    entries.addEntry(OPERATOR_INDEX_KEYS.audit, 0, '', index)
    entries.addEntry(OPERATOR_INDEX_KEYS.auditBySubject, 0, subjectValue(subject), index)
    entries.addEntry(OPERATOR_INDEX_KEYS.auditByOperator, 0, operator.id ?? ROOT, index)
  },
  'operator.request_decided': (event, index, entries) =>
    entries.addEntry(OPERATOR_INDEX_KEYS.operatorRequest, 0, payloadOf<OperatorRequest>(event).id, index),
}

export const AUDIT_INDEX_KEY: IndexKey = { kind: OPERATOR_INDEX_KEYS.audit, owner: 0, value: '' }

const ROOT = 'root'

/** Wallets are found by their tag, in both environments. */
function subjectValue({ kind, id, name }: AuditSubject): string {
  return `${kind}:${kind === 'wallet' ? name : id}`
}

/** Actions about one merchant, by its id, or about the wallets of one tag. */
export function auditOfSubjectIndexKey(kind: 'merchant' | 'wallet', idOrTag: string): IndexKey {
  return { kind: OPERATOR_INDEX_KEYS.auditBySubject, owner: 0, value: `${kind}:${idOrTag}` }
}

/** Actions of one operator; null: the holder of OPERATOR_TOKEN. */
export function auditByOperatorIndexKey(operatorId: string | null): IndexKey {
  return { kind: OPERATOR_INDEX_KEYS.auditByOperator, owner: 0, value: operatorId ?? ROOT }
}

/** The decision of one request for a new operator. */
export function operatorRequestIndexKey(id: string): IndexKey {
  return { kind: OPERATOR_INDEX_KEYS.operatorRequest, owner: 0, value: id }
}

/** Whether the action is about the merchant with the id, or the wallet with the tag. */
export function isAbout({ subject }: Pick<OperatorAction, 'subject'>, kind: 'merchant' | 'wallet', idOrTag: string): boolean {
  return subjectValue(subject) === `${kind}:${idOrTag}`
}
