import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { TextToRead } from '../heard.schema.ts'
import { cutIntoRuns, findUnits, type Mark, trimMark } from '../marked-passages.ts'
import type { Theme } from './EditTheme.tsx'
import type { useCoding } from './use-coding.ts'

export function TextHead({ text, asked }: { text: TextToRead; asked: string | undefined }) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  return (
    <header>
      <p className="meta">
        {format.dateTime(text.at)} · {getLanguageName(text.language)} · {t(text.isRead ? 'read.was-read' : 'read.not-read')}
      </p>
      {asked && <p>{asked}</p>}
    </header>
  )
}

interface MarkedTextProps {
  text: TextToRead
  mark: Mark | undefined
  box: RefObject<HTMLDivElement | null>
  onMark: (mark: Mark | undefined) => void
}

/** The text with what is coded in it. Drawing over words with the pointer marks them. */
export function MarkedText({ text, mark, box, onMark }: MarkedTextProps) {
  const coded = text.passages.filter(({ start, end }) => start < end)
  const marks = coded.map(({ start, end }) => ({ start: findUnits(text.text, start), end: findUnits(text.text, end) }))
  const runs = cutIntoRuns(text.text, mark ? [...marks, mark] : marks)
  const readSelection = () => {
    const selection = window.getSelection()
    if (!box.current || !selection || selection.isCollapsed || selection.rangeCount === 0) return
    const range = selection.getRangeAt(0)
    if (!box.current.contains(range.startContainer) || !box.current.contains(range.endContainer)) return
    const before = document.createRange()
    before.selectNodeContents(box.current)
    before.setEnd(range.startContainer, range.startOffset)
    const start = before.toString().length
    onMark(trimMark(text.text, { start, end: start + range.toString().length }))
    selection.removeAllRanges()
  }
  return (
    <div ref={box} className="coding-words" lang={text.language} dir={getDirection(text.language)} onPointerUp={readSelection}>
      {runs.map(({ start, end, marks: covering }) => {
        const words = text.text.slice(start, end)
        if (covering.length === 0) return <span key={start}>{words}</span>
        const isNow = mark !== undefined && covering.includes(marks.length)
        return (
          <mark key={start} className={isNow ? 'coding-mark-now' : undefined}>
            {words}
          </mark>
        )
      })}
    </div>
  )
}

interface PassagesProps {
  text: TextToRead
  all: readonly Theme[]
  mark: Mark | undefined
  coding: ReturnType<typeof useCoding>
}

/** What is coded in the text, and what the next key would code. */
export function Passages({ text, all, mark, coding }: PassagesProps) {
  const { t } = useTranslation('heard-admin')
  const byId = new Map(all.map((theme) => [theme.id, theme]))
  return (
    <>
      <ul className="coding-passages">
        {text.passages.map((passage) => {
          const title = byId.get(passage.theme)?.title ?? ''
          const quote = Array.from(text.text).slice(passage.start, passage.end).join('')
          return (
            <li key={passage.id}>
              <span>
                <strong>{title}</strong>:{' '}
                {quote ? (
                  <q lang={text.language} dir={getDirection(text.language)}>
                    {quote}
                  </q>
                ) : (
                  t('read.whole')
                )}
                {passage.isQuoted && <em> · {t('read.quoted')}</em>}
              </span>
              <button
                type="button"
                className="icon-button"
                aria-label={t('read.remove', { title })}
                onClick={() => void coding.remove(passage)}
              >
                <Icon name="close" />
              </button>
            </li>
          )
        })}
      </ul>
      <output className="meta">{mark ? t('read.marked', { words: text.text.slice(mark.start, mark.end) }) : t('read.whole-meant')}</output>
    </>
  )
}
