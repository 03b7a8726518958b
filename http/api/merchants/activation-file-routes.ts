// Files of a live activation: a merchant sends them, operators read them. Their bytes are sealed before they reach the engine, and only an
// operator's answer holds them in clear.
import type { EngineApi } from '../../../engine/api.ts'
import {
  ACTIVATION_FILE_BYTES_MAX,
  ActivationFile,
  ActivationFileForm,
  type ActivationFileType,
} from '../../../engine/contract/activation.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Deleted } from '../../../engine/contract/dashboard.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { Static } from '../../../engine/contract/schema.ts'
import type { Seal } from '../../crypto/seal.ts'
import { readImageHeader } from '../../server/body/image-header.ts'
import { type Call, type Route, route, type SessionPrincipal } from '../../server/route.ts'

/** Maximum size of the form without the file: delimiters, part headers, other parts. */
const FORM_BYTES = 16 * 1024
export const ACTIVATION_FORM_BYTES_MAX = ACTIVATION_FILE_BYTES_MAX + FORM_BYTES

const ENDINGS = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const satisfies Record<ActivationFileType, string>

const SENT = { status: 200, description: 'The file, as it was sent.' } as const

/** The first bytes of each type, as Latin-1. */
const EXAMPLES = {
  'application/pdf': '%PDF-1.7\n',
  'image/png': '\u0089PNG\r\n\u001a\n',
  'image/jpeg': '\u00ff\u00d8\u00ff\u00e0',
} as const satisfies Record<ActivationFileType, string>

export interface ActivationFileReader {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'openBytes'>
}

export interface ActivationFileParts extends ActivationFileReader {
  readonly seal: Pick<Seal, 'sealBytes' | 'openBytes'>
}

export const ACTIVATION_FILE: ActivationFile = {
  id: '019aa0f8-1c01-7a10-8d21-3c4d5e6f7081',
  content_type: 'application/pdf',
  size_bytes: 184_320,
  created_at: '2026-11-20T09:55:00.000Z',
}

export function activationFileRoutes(parts: ActivationFileParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/dashboard/activation/files',
      operationId: 'addActivationFile',
      tag: 'Dashboard',
      summary: 'Add a file to the live activation',
      description: ADD_DESCRIPTION,
      auth: 'session',
      idempotency: 'accepted',
      bodyType: 'multipart',
      body: ActivationFileForm,
      bodyBytesMax: ACTIVATION_FORM_BYTES_MAX,
      responses: [{ status: 201, description: 'The file, without its content.', schema: ActivationFile, example: ACTIVATION_FILE }],
      commands: ['AddActivationFile'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => addFile(parts, call),
    }),
    route({
      method: 'DELETE',
      path: '/v1/dashboard/activation/files/{file}',
      operationId: 'deleteActivationFile',
      tag: 'Dashboard',
      summary: 'Delete a file of the live activation',
      description: DELETE_DESCRIPTION,
      auth: 'session',
      idempotency: 'none',
      params: { file: uuid({ description: 'Id of the file.' }) },
      responses: [{ status: 200, description: 'Deleted.', schema: Deleted, example: { id: ACTIVATION_FILE.id, deleted: true } }],
      commands: ['DeleteActivationFile'],
      errors: [],
      handle: (call) => {
        const { merchant, account } = call.principal
        const id = String(call.params[0]).toLowerCase()
        call.submit({ type: 'DeleteActivationFile', merchantId: merchant.id, id }, account)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/operator/merchants/{id}/activation-files/{file}',
      operationId: 'getActivationFile',
      tag: 'Operator',
      summary: 'Read a file of a live activation',
      description: READ_DESCRIPTION,
      auth: 'operator',
      idempotency: 'none',
      takesLong: true,
      params: { id: uuid({ description: 'Id of the merchant.' }), file: uuid({ description: 'Id of the file.' }) },
      responses: Object.entries(EXAMPLES).map(([contentType, example]) => ({ ...SENT, contentType, example })),
      errors: [],
      handle: (call) => {
        if (!answerActivationFile(parts, call)) call.refuse('not_found')
      },
    }),
  ]
}

/** Answers the file that the path names, merchant first. Returns false where the merchant has no such file. */
export function answerActivationFile({ engine, seal }: ActivationFileReader, call: Pick<Call, 'params' | 'answerAs'>): boolean {
  const [merchantId = '', id = ''] = call.params.map((param) => param.toLowerCase())
  const file = engine.query('merchants.activationFile', { merchantId, id })
  if (file === null) return false
  // An attachment is saved, never shown as a page of this origin.
  call.answerAs(200, seal.openBytes(fieldOf(merchantId), file.sealed), [
    ['Content-Type', file.contentType],
    ['Content-Disposition', `attachment; filename="${id}.${ENDINGS[file.contentType]}"`],
  ])
  return true
}

type UploadCall = Call<Static<typeof ActivationFileForm>, Record<string, unknown>, SessionPrincipal>

/** Seals the bytes before it returns: the body is not available afterwards. */
function addFile({ seal }: ActivationFileParts, call: UploadCall): void {
  const bytes = call.body.file as Buffer | undefined
  if (bytes !== undefined && bytes.length > ACTIVATION_FILE_BYTES_MAX) return call.refuse('payload_too_large', 'file')
  const contentType = bytes === undefined ? null : fileTypeOf(bytes)
  if (bytes === undefined || contentType === null) return call.refuse('invalid_request', 'file', because('activation_file'))
  const { merchant, account } = call.principal
  const sealed = seal.sealBytes(fieldOf(merchant.id), bytes)
  call.submit({ type: 'AddActivationFile', merchantId: merchant.id, contentType, sizeBytes: bytes.length, sealed }, account)
}

/** The sealed file of one merchant does not open as a file of another. */
function fieldOf(merchantId: string): string {
  return `activation_file:${merchantId}`
}

/** A PDF begins with its version (ISO 32000-2, 7.5.2). Bytes before it, which some readers skip, could be another format. */
const PDF_HEAD = Buffer.from('%PDF-')

/** Returns the type that the first bytes have; null for another one. */
function fileTypeOf(bytes: Buffer): ActivationFileType | null {
  if (bytes.subarray(0, PDF_HEAD.length).equals(PDF_HEAD)) return 'application/pdf'
  const header = readImageHeader(bytes)
  return header === null || header.type === 'webp' ? null : `image/${header.type}`
}

const ADD_DESCRIPTION = `A supporting document for the operator: the register, an identity card, a proof of address. One file in each request, in the field \`file\`;
four in all, a fifth is 409 \`too_many_files\`. Files stay after a refusal: delete one that was not readable, and send another. Their type is read from their content: anything but PDF, PNG
and JPEG is 400 \`invalid_request\`, more than 5 MiB 413 \`payload_too_large\`. They are kept encrypted. An Idempotency-Key compares the file alone, not
the form around it. A file counts against the bytes that an account may write in a day: 429 \`rate_limited\`.`

const DELETE_DESCRIPTION = `A file that an operator has activated the account with stays: 409 \`request_not_open\`. Operators no longer read a deleted file; its encrypted
bytes stay in the log, which is never edited.`

const READ_DESCRIPTION = `\`listActivations\` has the ids of the files of each merchant, in each state. The content type is that of the content, and the answer is an
attachment: open it in a program that you trust with files of strangers.`
