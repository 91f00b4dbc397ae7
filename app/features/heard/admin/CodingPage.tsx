import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TabLinks } from '#app/ui/admin/tabs.tsx'
import { isTyping, readSingleKeys } from '#app/ui/admin/single-keys.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { readingProgressQuery, themesQuery, textSourcesQuery } from '../heard.queries.ts'
import type { ReadingProgress, TextToRead } from '../heard.schema.ts'
import { cutIntoRuns, findUnits, growMark, type Mark, moveMark, trimMark } from '../marked-passages.ts'
import { EditTheme, type Theme } from './EditTheme.tsx'
import { SuggestionsView } from './SuggestionsView.tsx'
import { KeyHelp, ThemeKeys } from './theme-keys.tsx'
import { useCoding } from './use-coding.ts'

export interface CodingSearch {
  source?: string | undefined
  language?: ContentLanguage | undefined
  unread?: boolean | undefined
  /** Suggested themes rather than one text after the other. */
  view?: 'suggestions' | undefined
}

interface CodingPageProps {
  project: { id: string; title: string }
  search: CodingSearch
  onSearch: (search: CodingSearch) => void
}

/** Reads one text after the other and codes its passages to themes, or decides on suggested themes, by pointer or by keys. */
export function CodingPage({ project, search, onSearch }: CodingPageProps) {
  const { t } = useTranslation('heard-admin')
  const { data: sources } = useSuspenseQuery(textSourcesQuery(project.id))
  const source = sources.find(({ key }) => key === search.source) ?? sources[0]
  return (
    <>
      <PageHeader
        title={t('read.title')}
        meta={
          <>
            <Link to="/admin/projects/$id" params={{ id: project.id }}>
              {project.title}
            </Link>
            {' › '}
            <Link to="/admin/projects/$id/heard" params={{ id: project.id }}>
              {t('title')}
            </Link>
          </>
        }
      />
      {source ? (
        <>
          <ViewTabs project={project.id} search={search} />
          <div className="filter-bar coding-filter">
            <SelectInput
              name="source"
              label={t('read.source')}
              value={source.key}
              options={sources.map(({ key, kind, title, within }) => ({
                value: key,
                label: kind === 'question' ? `${within}: ${title}` : t(`sources.${kind}`, { title }),
              }))}
              onChange={(key) => onSearch({ ...search, source: key })}
            />
            <LanguageChoice project={project.id} source={source.key} search={search} onSearch={onSearch} />
            {search.view !== 'suggestions' && (
              <CheckInput
                name="unread"
                label={t('read.unread')}
                value={search.unread ?? false}
                onChange={(unread) => onSearch({ ...search, unread })}
              />
            )}
          </div>
          {search.view === 'suggestions' ? (
            <Suggesting key={source.key} project={project.id} source={source.key} search={search} />
          ) : (
            <Coding
              key={`${source.key} ${search.language} ${search.unread}`}
              project={project.id}
              source={source.key}
              asked={source.kind === 'question' ? source.title : undefined}
              search={search}
            />
          )}
        </>
      ) : (
        <EmptyState title={t('sources.none')}>{t('sources.none-text')}</EmptyState>
      )}
    </>
  )
}

function ViewTabs({ project, search }: { project: string; search: CodingSearch }) {
  const { t } = useTranslation('heard-admin')
  const { view, ...rest } = search
  const address = { to: '/admin/projects/$id/heard/read', params: { id: project } } as const
  return (
    <TabLinks
      label={t('read.views')}
      links={[
        <Link key="read" {...address} search={rest} activeOptions={{ exact: true }} aria-current={view ? undefined : 'page'}>
          {t('read.one-by-one')}
        </Link>,
        <Link
          key="suggestions"
          {...address}
          search={{ ...rest, view: 'suggestions' }}
          activeOptions={{ exact: true }}
          aria-current={view ? 'page' : undefined}
        >
          {t('suggest.title')}
        </Link>,
      ]}
    />
  )
}

interface SourceProps {
  project: string
  source: string
  search: CodingSearch
}

/** Suggestions are of one language: the chosen one, or that of the most texts. */
function chooseLanguage(progress: readonly ReadingProgress[], { language, view }: CodingSearch): ContentLanguage | undefined {
  if (progress.some((each) => each.language === language)) return language
  return view === 'suggestions' ? progress.toSorted((one, other) => other.total - one.total)[0]?.language : undefined
}

function LanguageChoice({ project, source, search, onSearch }: SourceProps & Pick<CodingPageProps, 'onSearch'>) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  const { data = [] } = useQuery(readingProgressQuery(project, source))
  const options = data.map(({ language, total }) => ({ value: language, label: `${getLanguageName(language)} (${format.number(total)})` }))
  const hasAll = search.view !== 'suggestions' || options.length === 0
  return (
    <SelectInput<ContentLanguage | ''>
      name="language"
      label={t('read.language')}
      value={chooseLanguage(data, search) ?? ''}
      options={hasAll ? [{ value: '', label: t('read.all-languages') }, ...options] : options}
      onChange={(language) => onSearch({ ...search, language: language || undefined })}
    />
  )
}

function Suggesting({ project, source, search }: SourceProps) {
  const { t } = useTranslation('heard-admin')
  const { t: common } = useTranslation()
  const { data } = useQuery(readingProgressQuery(project, source))
  if (!data) return <Skeleton label={common('loading')} lines={6} />
  const language = chooseLanguage(data, search)
  if (!language) return <EmptyState title={t('read.none')}>{t('read.none-text')}</EmptyState>
  return <SuggestionsView key={language} project={project} source={source} language={language} />
}

function Coding({ project, source, asked, search }: SourceProps & { asked: string | undefined }) {
  const { t } = useTranslation('heard-admin')
  const { t: common } = useTranslation()
  const { data: found } = useSuspenseQuery(themesQuery(project))
  const all = found.data
  const themes = all.filter(({ relationships }) => !relationships.mergedInto)
  const coding = useCoding({ project, source, language: search.language, unread: search.unread })
  const { current } = coding
  const [marked, setMarked] = useState<{ text: string; mark: Mark }>()
  const [isAdding, setAdding] = useState(false)
  const [keysOn, setKeysOn] = useState(readSingleKeys)
  const box = useRef<HTMLDivElement>(null)
  const mark = current && marked?.text === current.id ? marked.mark : undefined
  const setMark = (next: Mark | undefined) => setMarked(current && next ? { text: current.id, mark: next } : undefined)
  const code = (theme: Theme) => void coding.code(theme.id, mark).then(() => setMark(undefined))
  const quoteLast = () => {
    const last = current?.passages.at(-1)
    if (last) void coding.quote(last)
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!keysOn || !current || event.defaultPrevented || event.repeat || event.altKey || event.ctrlKey || event.metaKey || isTyping(event))
      return
    const theme = /^[1-9]$/.test(event.key) ? themes[Number(event.key) - 1] : undefined
    const onControl = event.target instanceof Element && event.target.closest('button, a, summary') !== null
    const acts: Record<string, () => void> = {
      0: () => void coding.next(),
      b: () => coding.goTo(coding.at - 1),
      z: () => void coding.undo(),
      q: quoteLast,
      n: () => setAdding(true),
      ArrowRight: () => setMark((event.shiftKey ? growMark : moveMark)(current.text, current.language, mark, 1)),
      ArrowLeft: () => setMark((event.shiftKey ? growMark : moveMark)(current.text, current.language, mark, -1)),
      Escape: () => setMark(undefined),
      // Where a button has the focus, Enter presses it.
      ...(onControl ? {} : { Enter: () => void coding.next() }),
    }
    const act = theme ? () => code(theme) : acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  if (coding.isPending) return <Skeleton label={common('loading')} lines={6} />
  return (
    <>
      <Progress project={project} source={source} search={search} />
      {current ? (
        <div className="coding">
          <section className="admin-panel coding-text" aria-labelledby="coding-text">
            <h2 id="coding-text" className="visually-hidden">
              {t('read.text')}
            </h2>
            <TextHead text={current} asked={asked} />
            <MarkedText text={current} mark={mark} box={box} onMark={setMark} />
            <Passages text={current} all={all} mark={mark} coding={coding} />
            <div className="row coding-actions">
              <Button onClick={() => void coding.next()} aria-disabled={coding.isBusy || undefined}>
                {coding.isLast ? t('read.finish') : t('read.next')} {keysOn && <kbd>↵</kbd>}
              </Button>
              <Button kind="secondary" disabled={coding.at === 0} onClick={() => coding.goTo(coding.at - 1)}>
                {t('read.previous')} {keysOn && <kbd>B</kbd>}
              </Button>
              <Button kind="secondary" disabled={!coding.canUndo} onClick={() => void coding.undo()}>
                {t('read.undo')} {keysOn && <kbd>Z</kbd>}
              </Button>
              <Button kind="secondary" disabled={current.passages.length === 0} onClick={quoteLast}>
                {t('read.quote')} {keysOn && <kbd>Q</kbd>}
              </Button>
            </div>
          </section>
          <section className="admin-panel coding-themes" aria-labelledby="coding-themes">
            <h2 id="coding-themes">{t('themes.title')}</h2>
            <ThemeKeys themes={themes} coded={new Set(current.passages.map(({ theme }) => theme))} keysOn={keysOn} onCode={code} />
            <Button kind="secondary" size="small" onClick={() => setAdding(true)}>
              {t('themes.new')} {keysOn && <kbd>N</kbd>}
            </Button>
          </section>
        </div>
      ) : (
        <EmptyState title={t(search.unread ? 'read.done' : 'read.none')}>
          {t(search.unread ? 'read.done-text' : 'read.none-text')}
        </EmptyState>
      )}
      <KeyHelp
        name="coding-keys"
        keysOn={keysOn}
        onChange={setKeysOn}
        keys={[
          ['1', '9', t('keys.theme')],
          ['0', '↵', t('keys.next')],
          ['←', '→', t('keys.sentence')],
          ['Shift ←', 'Shift →', t('keys.word')],
          ['Esc', '', t('keys.whole')],
        ]}
      />
      {isAdding && <EditTheme project={project} onClose={() => setAdding(false)} />}
    </>
  )
}

function Progress({ project, source, search }: SourceProps) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  const { data = [] } = useQuery(readingProgressQuery(project, source))
  const counted = data.filter(({ language }) => !search.language || language === search.language)
  const total = counted.reduce((sum, each) => sum + each.total, 0)
  const read = counted.reduce((sum, each) => sum + each.read, 0)
  return (
    <output className="coding-progress">
      <ProgressBar
        label={t('read.progress', { count: total, read: format.number(read), total: format.number(total) })}
        value={read}
        max={total}
      />
    </output>
  )
}

function TextHead({ text, asked }: { text: TextToRead; asked: string | undefined }) {
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
function MarkedText({ text, mark, box, onMark }: MarkedTextProps) {
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
function Passages({ text, all, mark, coding }: PassagesProps) {
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
