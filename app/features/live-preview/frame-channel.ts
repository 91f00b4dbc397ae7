import * as v from 'valibot'
import {
  type Block,
  type FrameMessage,
  PROTOCOL,
  type PreviewContent,
  type ToEditor,
  type ToFrame,
  toFrameSchema,
} from './preview-protocol.schema.ts'

interface FrameCallbacks {
  post: (message: ToEditor) => void
  /** Renders the content; confirm `sequence` once it is drawn. */
  show: (shown: PreviewContent, sequence: number) => void
  select: (block: string | null) => void
  scheme: (scheme: 'light' | 'dark') => void
}

/** The frame's side of the protocol, without DOM access: applies patches in order, and asks for the full state if one is missing. */
export class FrameChannel {
  readonly #ends: FrameCallbacks
  #session: string | undefined
  #sequence = -1
  #shown: PreviewContent = { blocks: null, tokens: null }

  constructor(ends: FrameCallbacks) {
    this.#ends = ends
  }

  get isConnected(): boolean {
    return this.#sequence >= 0
  }

  hello(): void {
    this.#ends.post({ parley: 'live-preview', version: PROTOCOL, kind: 'hello' })
  }

  /** Handles a message from the editor. */
  receive(data: unknown): void {
    const read = v.safeParse(toFrameSchema, data)
    if (!read.success) {
      if (this.#session && isPreviewMessage(data))
        this.say({ kind: 'error', reason: 'not-understood', detail: v.summarize(read.issues).slice(0, 500) })
      return
    }
    const message = read.output
    if (message.kind === 'ack') {
      this.#session = message.session
      this.#sequence = -1
      return
    }
    if (message.session !== this.#session) return
    switch (message.kind) {
      case 'init':
        this.#apply({ blocks: message.blocks, tokens: message.tokens }, message.sequence)
        break
      case 'patch':
        this.#patch(message)
        break
      case 'select':
        this.#ends.select(message.block)
        break
      case 'scheme':
        this.#ends.scheme(message.scheme)
    }
  }

  /** Sends a message in this session; does nothing before there is one. */
  say(message: Exclude<FrameMessage, { kind: 'hello' }>): void {
    if (this.#session) this.#ends.post({ ...message, parley: 'live-preview', version: PROTOCOL, session: this.#session })
  }

  #patch(patch: Extract<ToFrame, { kind: 'patch' }>): void {
    if (patch.sequence <= this.#sequence) return
    if (!patch.order && !patch.blocks && patch.sequence === this.#sequence + 1) {
      this.#apply({ ...this.#shown, tokens: patch.tokens ?? this.#shown.tokens }, patch.sequence)
      return
    }
    const order = patch.order ?? this.#shown.blocks?.map(({ id }) => id)
    const known = new Map<string, Block>([...(this.#shown.blocks ?? []), ...(patch.blocks ?? [])].map((block) => [block.id, block]))
    const isWhole = patch.sequence === this.#sequence + 1 && (order ?? []).every((id) => known.has(id))
    if (!isWhole) {
      this.say({ kind: 'resync', have: Math.max(0, this.#sequence) })
      return
    }
    const blocks = order ? order.flatMap((id) => known.get(id) ?? []) : null
    this.#apply({ blocks, tokens: patch.tokens ?? this.#shown.tokens }, patch.sequence)
  }

  #apply(shown: PreviewContent, sequence: number): void {
    this.#shown = shown
    this.#sequence = sequence
    this.#ends.show(shown, sequence)
  }
}

const isPreviewMessage = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'parley' in data && data.parley === 'live-preview'
