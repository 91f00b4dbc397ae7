import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isStored } from '#app/lib/is-stored.ts'
import { POLLS_ITEM } from '#app/lib/kept-items.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { fetchBrowserToken } from '#app/shell/browser-token.ts'
import { sendPollAnswer, startPoll } from './poll.functions.ts'
import type { AnsweredPoll, PollRefusal, PollResults, PollView } from './poll.schema.ts'

export interface PollOutcome {
  /** Why the answer was not taken; null if it is stored. */
  refusal: PollRefusal | null
  /** The browser now holds a receipt; an answer given with an account is in the account instead. */
  receipt: boolean
  /** False until somebody has looked at unusually many from one place. */
  counted: boolean
  results: PollResults | null
}

const loadDevice = () => import('#app/features/participation/keeping/kept-on-device.ts')

type PollFault = 'choose' | 'failed'

/**
 * Sends a poll's answer from the page it stands on. The sending's id is fetched when an option is chosen, and kept when sending fails, so that
 * trying again stores one answer.
 */
export function usePollForm({ project, survey, open }: PollView, answered: AnsweredPoll | undefined) {
  const viewer = useViewer()
  const key = `${POLLS_ITEM.name}${project}/${survey}`
  const form = useRef<HTMLFormElement>(null)
  const started = useRef<Promise<Awaited<ReturnType<typeof start>>>>(undefined)
  const [outcome, setOutcome] = useState<PollOutcome | undefined>(answered && toAnsweredOutcome(answered))
  const [fault, setFault] = useState<PollFault>()
  const [sending, setSending] = useState(false)
  const isKnown = viewer !== null
  const isAnswered = answered !== undefined
  useEffect(() => {
    let hasLeft = false
    const recall = async () => {
      const given = await findGivenOutcome({ project, survey }, key, isKnown)
      if (given && !hasLeft) setOutcome(given)
    }
    // Without a connection the form stays, and answering says why it was not sent.
    if (open && !isAnswered && (isKnown || isStored(key))) void recall().catch(() => undefined)
    return () => {
      hasLeft = true
    }
  }, [project, survey, key, open, isAnswered, isKnown])
  useEffect(() => {
    if (fault === 'choose') form.current?.querySelector<HTMLInputElement>('input[type=radio]')?.focus()
  }, [fault])

  async function start() {
    const begun = await startPoll({ data: { project, survey } })
    if (begun.recognisesBrowser && !begun.refusal) await fetchBrowserToken()
    return begun
  }
  const prepare = () => {
    started.current ??= start()
    // A failed start is tried again when the answer is sent.
    started.current.catch(() => (started.current = undefined))
  }
  const submit = async (choice: string): Promise<PollOutcome> => {
    prepare()
    const begun = await started.current
    if (!begun) throw new Error('The poll could not be started')
    if (begun.refusal) return { refusal: begun.refusal, receipt: false, counted: true, results: begun.results }
    const { sending: sent, version } = begun
    return sendPollAnswer({ data: { project, survey, ...sent, version, choice } })
  }
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const choice = new FormData(event.currentTarget).get('answer')
    if (typeof choice !== 'string') return setFault('choose')
    setFault(undefined)
    setSending(true)
    try {
      const sent = await submit(choice)
      setOutcome(sent)
      if (sent.refusal === null || sent.refusal === 'answered') await rememberPoll(key)
    } catch {
      setFault('failed')
    } finally {
      setSending(false)
    }
  }
  return { outcome, fault, sending, form, prepare, send: (event: FormEvent<HTMLFormElement>) => void send(event) }
}

const toAnsweredOutcome = ({ results }: AnsweredPoll): PollOutcome => ({ refusal: 'answered', receipt: false, counted: true, results })

/** What this browser or this person has answered before; undefined if nothing that still counts. The server has the last word. */
async function findGivenOutcome(
  address: Pick<PollView, 'project' | 'survey'>,
  key: string,
  isKnown: boolean,
): Promise<PollOutcome | undefined> {
  const { readFromDevice, removeFromDevice } = await loadDevice()
  const isRemembered = 'at' in readFromDevice(key, POLLS_ITEM.seconds)
  if (!isRemembered && !isKnown) return undefined
  const { refusal, results } = await startPoll({ data: { ...address, isRemembered } })
  if (refusal === 'answered') return toAnsweredOutcome({ results })
  if (isRemembered && refusal === null) removeFromDevice(key)
  return undefined
}

async function rememberPoll(key: string): Promise<void> {
  try {
    const { storeOnDevice } = await loadDevice()
    storeOnDevice(key, {})
  } catch {
    // Without a connection it is not remembered; the answer is stored all the same.
  }
}
