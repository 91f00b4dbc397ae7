import * as v from 'valibot'

/**
 * Protocol between an editor and its preview frame: `postMessage` between two documents of the same origin.
 * 1. The frame sends `hello` repeatedly until it is answered, because it may load before or after the editor listens.
 * 2. The editor answers with `ack`, which holds a new session, and `init` with the full state as number 0.
 * 3. Each change is a `patch` with the next number. A frame that misses one sends `resync` and gets `init` again.
 * 4. The frame sends `applied` with the number it has drawn.
 * `select` goes both ways; `bounds`, `edit` and `navigate` come from the frame; `error` tells what could not be shown, and why.
 */
export const PROTOCOL = 1

const envelope = { parley: v.literal('live-preview'), version: v.literal(PROTOCOL) }
const session = v.pipe(v.string(), v.minLength(8), v.maxLength(60))
const sequence = v.pipe(v.number(), v.integer(), v.minValue(0))
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(60))
/** A block in transit. Its content is validated by the side that renders it. */
const block = v.looseObject({ id, type: v.pipe(v.string(), v.maxLength(60)) })
const blocks = v.pipe(v.array(block), v.maxLength(400))
const tokens = v.record(v.string(), v.unknown())
const number = v.pipe(v.number(), v.finite())

const ERRORS = ['not-understood', 'not-shown', 'data-failed'] as const

export const toFrameSchema = v.variant('kind', [
  v.object({ ...envelope, kind: v.literal('ack'), session }),
  v.object({ ...envelope, kind: v.literal('init'), session, sequence, blocks: v.nullable(blocks), tokens: v.nullable(tokens) }),
  v.object({
    ...envelope,
    kind: v.literal('patch'),
    session,
    sequence,
    /** New or changed blocks. */
    blocks: v.optional(blocks),
    /** All ids in order; present if blocks were added, removed or moved. */
    order: v.optional(v.pipe(v.array(id), v.maxLength(400))),
    tokens: v.optional(tokens),
  }),
  v.object({ ...envelope, kind: v.literal('select'), session, block: v.nullable(id) }),
  v.object({ ...envelope, kind: v.literal('scheme'), session, scheme: v.picklist(['light', 'dark']) }),
])
export type ToFrame = v.InferOutput<typeof toFrameSchema>

export const toEditorSchema = v.variant('kind', [
  v.object({ ...envelope, kind: v.literal('hello') }),
  v.object({ ...envelope, kind: v.literal('resync'), session, have: sequence }),
  v.object({ ...envelope, kind: v.literal('applied'), session, sequence }),
  v.object({ ...envelope, kind: v.literal('select'), session, block: v.nullable(id) }),
  v.object({
    ...envelope,
    kind: v.literal('bounds'),
    session,
    /** Bounds of the selected block in the frame's viewport, in its pixels; null if none is selected. */
    bounds: v.nullable(v.object({ block: id, top: number, left: number, width: number, height: number })),
  }),
  v.object({
    ...envelope,
    kind: v.literal('edit'),
    session,
    block: id,
    /** Field names and item ids leading to the text. */
    path: v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.minLength(1), v.maxLength(4)),
    text: v.pipe(v.string(), v.maxLength(20_000)),
  }),
  v.object({ ...envelope, kind: v.literal('navigate'), session, href: v.pipe(v.string(), v.maxLength(2000)) }),
  v.object({
    ...envelope,
    kind: v.literal('error'),
    session,
    reason: v.picklist(ERRORS),
    block: v.optional(id),
    detail: v.optional(v.pipe(v.string(), v.maxLength(500))),
  }),
])
export type ToEditor = v.InferOutput<typeof toEditorSchema>

type WithoutEnvelope<Message> = Message extends unknown ? Omit<Message, 'parley' | 'version' | 'session'> : never
export type FrameMessage = WithoutEnvelope<ToEditor>
export type Block = v.InferOutput<typeof block>
export type Tokens = v.InferOutput<typeof tokens>
export type PreviewError = Extract<ToEditor, { kind: 'error' }>

/** Content being edited: a page's blocks, a site's tokens, or both. */
export interface PreviewContent {
  blocks: readonly Block[] | null
  tokens: Tokens | null
}
