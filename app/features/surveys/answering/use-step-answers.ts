import { useLayoutEffect, useRef, useState } from 'react'
import type { FormState } from '#app/server/request-context.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { removeFromDevice, storeOnDevice, readFromDevice } from './answers-on-device.ts'
import { readAnswers } from '../questionnaire/answers.ts'
import { keepAnswers } from './answering.functions.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import type { Answers, Question } from '../surveys.schema.ts'
import type { ProfileUse } from '../surveys.views.ts'
import { untickExclusive, readFormValues } from './use-kept-answers.ts'

const SAVE_DEBOUNCE_MS = 2500

interface StepAnswersState {
  answers: Answers
  sending: Sending
  /** Saved on this device; undefined before any input, or without a script. */
  kept: boolean | undefined
  /** Changes when other answers than those shown are restored from the device, so that fields are recreated with them. */
  restored: number
  /** Reads a step's form and saves it: on the device at once, on the server after a delay. */
  take: (form: HTMLFormElement, questions: readonly Question[], changed: EventTarget | null) => Answers
  /** Saves to the server now. @returns whether the server has it */
  saveNow: () => Promise<boolean>
}

/** A refused form belongs to the sending it was built with. */
function findFormSending(form: FormState | null): Sending | undefined {
  const { id, sendKey } = form?.values ?? {}
  return typeof id === 'string' && typeof sendKey === 'string' && id && sendKey ? { id, sendKey } : undefined
}

interface BegunSurvey {
  survey: { id: string; state: string }
  version: number
  sending: Sending
  draft: Answers | null
  profile?: ProfileUse | null
  form: FormState | null
}

/**
 * The answers of a stepped survey. They exist in memory, on the device and in the server's draft. When restoring, the device's answers
 * count as newer if they belong to the same draft, or if there is no draft.
 */
export function useStepAnswers({ survey, version, sending: fresh, draft, profile, form }: BegunSurvey): StepAnswersState {
  const begun = findFormSending(form) ?? fresh
  const [answers, setAnswers] = useState<Answers>(draft ?? profile?.filled ?? {})
  const [sending, setSending] = useState(begun)
  const [kept, setKept] = useState<boolean>()
  const [restored, setRestored] = useState(0)
  // As it is stored: effects of the same pass read what the one before has written.
  const newest = useRef({ ...begun, version, answers })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const device = survey.state === 'preview' ? null : survey.id

  // In a layout effect, so that the step's own effect adds what was typed before the script ran, and does not replace what is read here.
  useLayoutEffect(() => {
    const { steps } = readFromDevice(device)
    if (!steps) return
    if (draft && steps.id !== begun.id) return removeFromDevice(device)
    // Answers started on an earlier version are finished on it, as a draft; only once, in case the browser has cookies disabled.
    if (!draft && steps.version !== version) {
      const { version: begunOn, ...data } = steps
      storeOnDevice(device, { steps: { ...steps, version } })
      void keepAnswers({ data: { ...data, survey: device ?? '', version: begunOn } }).finally(() => location.reload())
      return
    }
    const { id, sendKey } = steps
    const shown = newest.current.answers
    newest.current = { id, sendKey, version, answers: { ...draft, ...steps.answers } }
    setAnswers(newest.current.answers)
    setSending({ id, sendKey })
    setKept(true)
    // Recreating the form would interrupt a click or move the focus of somebody who is already using it.
    if (!isJsonEqual(newest.current.answers, shown)) setRestored((before) => before + 1)
  }, [device, draft, begun.id, version])

  const save = async (): Promise<boolean> => {
    clearTimeout(timer.current)
    if (survey.state !== 'open') return false
    try {
      await keepAnswers({ data: { ...newest.current, survey: survey.id } })
      return true
    } catch {
      // Offline, the device still has it, and the next save includes it.
      return false
    }
  }

  const takeFormAnswers = (form: HTMLFormElement, questions: readonly Question[], changed: EventTarget | null): Answers => {
    untickExclusive(form, questions, changed)
    const shown = new Set(questions.map((question) => question.id))
    const others = Object.entries(newest.current.answers).filter(([id]) => !shown.has(id))
    const taken = { ...Object.fromEntries(others), ...readAnswers(questions, readFormValues(form)) }
    newest.current = { ...newest.current, answers: taken }
    setAnswers(taken)
    setKept(storeOnDevice(device, { steps: newest.current }))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), SAVE_DEBOUNCE_MS)
    return taken
  }

  return { answers, sending, kept, restored, take: takeFormAnswers, saveNow: save }
}
