import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { isAppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import { api } from '#app/shell/api.ts'

export type AnswerDraft = Resource<'official-response-drafts'>

/** What is kept of an answer that is being written. */
export interface WrittenAnswer {
  status: string | null
  visibility: AnswerVisibility
  textTranslations: Translated
  teamTranslations: Translated
  alsoTo: readonly string[]
  waived: readonly string[]
}

interface KeptState {
  /** As it is stored. */
  base: AnswerDraft | undefined
  /** A colleague's version, saved in the meantime: nothing more is saved until the user chooses between the two. */
  theirs: AnswerDraft | undefined
  error: unknown
  isSaving: boolean
  /** What was saved last, as JSON. */
  saved: string
}

const SAVE_AFTER_MS = 1000

export const toKey = (written: WrittenAnswer): string => JSON.stringify(written)

const toFields = ({ status, alsoTo, waived, ...attributes }: WrittenAnswer) => ({
  attributes: { ...attributes, alsoTo: [...alsoTo], waived: [...waived] },
  relationships: { status: status === null ? null : ({ type: 'contribution-statuses', id: status } as const) },
})

/**
 * Keeps what is written in the team's draft: a second after the last change, when the form is left, and before it is sent. Saves follow each
 * other, each based on the one before. Created once for each form, for `useSyncExternalStore`.
 */
export class DraftKeeper {
  #state: KeptState
  #written: WrittenAnswer
  readonly #contribution: string
  readonly #listeners = new Set<() => void>()
  #queue: Promise<unknown> = Promise.resolve()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param stored as it was when writing began @param written what the form then says */
  constructor(contribution: string, stored: AnswerDraft | undefined, written: WrittenAnswer) {
    this.#contribution = contribution
    this.#written = written
    this.#state = { base: stored, theirs: undefined, error: undefined, isSaving: false, saved: toKey(written) }
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): KeptState => this.#state

  #set(change: Partial<KeptState>) {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  write(written: WrittenAnswer) {
    this.#written = written
    clearTimeout(this.#timer)
    if (toKey(written) !== this.#state.saved) this.#timer = setTimeout(() => this.save(), SAVE_AFTER_MS)
  }

  /** Saves now what is not saved yet, unless a colleague's draft is to be chosen or refused first. The state says what failed. */
  save() {
    clearTimeout(this.#timer)
    if (this.#state.theirs === undefined) void this.flush().catch(() => undefined)
  }

  /** Saves now and waits for the result. @throws the server's refusal */
  flush(): Promise<AnswerDraft | undefined> {
    const next = this.#queue.then(() => this.#store())
    this.#queue = next.catch(() => undefined)
    return next
  }

  async #store(): Promise<AnswerDraft | undefined> {
    const written = this.#written
    const key = toKey(written)
    const { base, saved } = this.#state
    if (key === saved) return base
    this.#set({ isSaving: true })
    try {
      const fields = toFields(written)
      const { data } = base
        ? await api.update('official-response-drafts', base.id, fields, { lockVersion: base.meta.lockVersion })
        : await api.create('official-response-drafts', {
            attributes: fields.attributes,
            relationships: { ...fields.relationships, contribution: { type: 'contributions', id: this.#contribution } },
          })
      this.#set({ base: data, saved: key, error: undefined })
      return data
    } catch (error) {
      this.#set({ error, theirs: isAppError(error, 'stale') || isAppError(error, 'conflict') ? await this.#loadTheirs() : undefined })
      throw error
    } finally {
      this.#set({ isSaving: false })
    }
  }

  async #loadTheirs(): Promise<AnswerDraft | undefined> {
    const { data } = await api.list('official-response-drafts', { filter: { contribution: this.#contribution } })
    return data[0]
  }

  /** What the server answered to another change of the draft. */
  remember(base: AnswerDraft) {
    this.#set({ base })
  }

  /** Saves what stands in the form over what the colleague saved. */
  keepMine() {
    this.#set({ base: this.#state.theirs, theirs: undefined, error: undefined, saved: '' })
    this.save()
  }

  /** It was sent or given up: nothing of this form is saved any more. */
  close() {
    clearTimeout(this.#timer)
    this.#set({ base: undefined, theirs: undefined, error: undefined, saved: toKey(this.#written) })
  }
}
