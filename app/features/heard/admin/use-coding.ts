import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { forgetHeard, type TextsChoice } from '../heard.queries.ts'
import { codeSampleText, dropSampleCode, markSampleText } from '../double-coding/coding-samples.functions.ts'
import { markTextAsRead } from '../heard.functions.ts'
import type { CodedPassage, TextToRead } from '../heard.schema.ts'
import { countCharacters, type Mark } from '../marked-passages.ts'
import { keyOf, useTexts } from './use-texts.ts'

type Place = Pick<CodedPassage, 'start' | 'end' | 'isQuoted'>

interface Step {
  /** Where it was done. */
  text: string
  undo: () => Promise<unknown>
}

const readQuote = ({ text }: TextToRead, { start, end }: Place): string => Array.from(text).slice(start, end).join('')

/** What is coded in one text after the other. Each act can be undone, the last one first. */
export function useCoding(choice: TextsChoice) {
  const { change, changePassages, ...list } = useTexts(choice)
  const { current } = list
  const { isBusy, act } = useActs()
  const writes = choice.sample ? createSampleWrites(choice.sample) : createEvidenceWrites(choice)
  const [steps, setSteps] = useState<readonly Step[]>([])
  const remember = (text: TextToRead, undo: Step['undo']) => setSteps((now) => [...now, { text: keyOf(text), undo }])
  const add = async (text: TextToRead, theme: string, place: Place) => {
    const id = await writes.store(text, theme, place)
    changePassages(text, (passages) => [
      ...passages.filter((passage) => passage.id !== id),
      { start: place.start, end: place.end, isQuoted: place.isQuoted, id, theme, state: 'confirmed' },
    ])
    return id
  }
  const drop = async (text: TextToRead, id: string) => {
    await writes.remove(id)
    changePassages(text, (passages) => passages.filter((passage) => passage.id !== id))
  }
  const setQuoted = async (text: TextToRead, { id }: CodedPassage, isQuoted: boolean) => {
    await api.update('theme-evidence', id, { attributes: { isQuoted } })
    changePassages(text, (passages) => passages.map((passage) => (passage.id === id ? { ...passage, isQuoted } : passage)))
  }
  const remove = async (text: TextToRead, passage: CodedPassage) => {
    await drop(text, passage.id)
    remember(text, () => add(text, passage.theme, passage))
  }
  /** Does nothing before there is a text. */
  const actOn = (work: (text: TextToRead) => Promise<unknown>) => (current ? act(() => work(current)) : Promise.resolve())
  return {
    ...list,
    isBusy,
    canUndo: steps.length > 0,
    /** Codes the marked passage, or the whole text; once more takes it away again. */
    code: (theme: string, mark: Mark | undefined) =>
      actOn(async (text) => {
        const start = mark ? countCharacters(text.text, mark.start) : 0
        const end = mark ? countCharacters(text.text, mark.end) : 0
        const same = text.passages.find((passage) => passage.theme === theme && passage.start === start && passage.end === end)
        if (same) return remove(text, same)
        const id = await add(text, theme, { start, end, isQuoted: false })
        remember(text, () => drop(text, id))
      }),
    remove: (passage: CodedPassage) => actOn((text) => remove(text, passage)),
    /** Offers a passage as a quote in public, or no longer. */
    quote: (passage: CodedPassage) =>
      actOn(async (text) => {
        await setQuoted(text, passage, !passage.isQuoted)
        remember(text, () => setQuoted(text, passage, passage.isQuoted))
      }),
    /** Marks the text as read and shows the next one. */
    next: () =>
      actOn(async (text) => {
        if (!text.isRead) await writes.markAsRead(text)
        change(keyOf(text), (known) => ({ ...known, isRead: true }))
        list.goTo(list.at + 1)
      }),
    undo: () =>
      act(async () => {
        const last = steps.at(-1)
        if (!last) return
        await last.undo()
        setSteps((now) => now.slice(0, -1))
        list.goTo(list.texts.findIndex((text) => keyOf(text) === last.text))
      }),
  }
}

interface CodeWrites {
  /** @returns its id */
  store: (text: TextToRead, theme: string, place: Place) => Promise<string>
  remove: (id: string) => Promise<unknown>
  markAsRead: (text: TextToRead) => Promise<unknown>
}

const createEvidenceWrites = ({ project, source }: TextsChoice): CodeWrites => ({
  store: async (text, theme, place) => {
    const { data } = await api.create('theme-evidence', {
      attributes: {
        source: text.source,
        sourceId: text.id,
        question: text.question,
        version: text.version,
        start: place.start,
        quote: readQuote(text, place),
        isQuoted: place.isQuoted,
      },
      relationships: { theme: { type: 'themes', id: theme } },
    })
    return data.id
  },
  remove: (id) => api.remove('theme-evidence', id),
  markAsRead: ({ id }) => markTextAsRead({ data: { project, source, id } }),
})

/** What the second person gives is kept apart from what counts. */
const createSampleWrites = (sample: string): CodeWrites => ({
  store: (text, theme, place) =>
    codeSampleText({
      data: { sample, id: text.id, question: text.question, theme, start: place.start, quote: readQuote(text, place) },
    }),
  remove: (code) => dropSampleCode({ data: { sample, code } }),
  markAsRead: ({ id, question }) => markSampleText({ data: { sample, id, question } }),
})

/** One act at a time, so that a second press does nothing; what it changed is read again, and what went wrong is said. */
function useActs() {
  const queryClient = useQueryClient()
  const { describeError } = useFaultTexts()
  const [isBusy, setBusy] = useState(false)
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
      void forgetHeard(queryClient)
    } catch (error) {
      showToast({ kind: 'error', text: describeError(error) })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, act }
}
