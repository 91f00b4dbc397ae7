import * as v from 'valibot'
import { type Block, PROTOCOL, type PreviewContent, type ToEditor, toEditorSchema, type ToFrame } from './preview-protocol.schema.ts'

interface EditorCallbacks {
  post: (message: ToFrame) => void
  /** Returns a unique session name. */
  newSession: () => string
  /** Current content, for a frame that has just connected. */
  current: () => PreviewContent
  /** Called with every message except `hello` and `resync`. */
  heard: (message: Exclude<ToEditor, { kind: 'hello' | 'resync' }>) => void
}

/** The editor's side of the protocol, without DOM access: sends changes, and the full state to a frame that asks for it. */
export class EditorChannel {
  readonly #ends: EditorCallbacks
  #session: string | undefined
  #sequence = 0
  #sent: PreviewContent = { blocks: null, tokens: null }

  constructor(ends: EditorCallbacks) {
    this.#ends = ends
  }

  /** Handles a message from the frame. Messages that do not match the schema or the session are ignored. */
  receive(data: unknown): void {
    const read = v.safeParse(toEditorSchema, data)
    if (!read.success) return
    const message = read.output
    if (message.kind === 'hello') {
      this.#session = this.#ends.newSession()
      this.#post({ kind: 'ack' })
      this.#init()
    } else if (message.session === this.#session) {
      if (message.kind === 'resync') this.#init()
      else this.#ends.heard(message)
    }
  }

  /** Sends the difference from the last state sent. @returns the sequence number that the frame will confirm */
  update(next: PreviewContent): number | undefined {
    if (!this.#session) return undefined
    const before = this.#sent
    const known = new Map((before.blocks ?? []).map((block) => [block.id, block]))
    const changed = (next.blocks ?? []).filter((block) => known.get(block.id) !== block)
    const isMoved = joinIds(next.blocks) !== joinIds(before.blocks)
    const hasTokens = next.tokens !== null && next.tokens !== before.tokens
    if (!changed.length && !isMoved && !hasTokens) return undefined
    this.#sent = next
    this.#sequence += 1
    this.#post({
      kind: 'patch',
      sequence: this.#sequence,
      ...(changed.length ? { blocks: changed } : {}),
      ...(isMoved ? { order: (next.blocks ?? []).map(({ id }) => id) } : {}),
      ...(hasTokens && next.tokens ? { tokens: next.tokens } : {}),
    })
    return this.#sequence
  }

  select(block: string | null): void {
    this.#post({ kind: 'select', block })
  }

  scheme(scheme: 'light' | 'dark'): void {
    this.#post({ kind: 'scheme', scheme })
  }

  #init(): void {
    this.#sent = this.#ends.current()
    const { blocks, tokens } = this.#sent
    this.#post({ kind: 'init', sequence: this.#sequence, blocks: blocks && [...blocks], tokens })
  }

  #post(message: ToFrameWithoutEnvelope): void {
    if (this.#session) this.#ends.post({ ...message, parley: 'live-preview', version: PROTOCOL, session: this.#session })
  }
}

type ToFrameWithoutEnvelope = ToFrame extends infer Message
  ? Message extends ToFrame
    ? Omit<Message, 'parley' | 'version' | 'session'>
    : never
  : never

const joinIds = (blocks: readonly Block[] | null) => (blocks ?? []).map(({ id }) => id).join(' ')
