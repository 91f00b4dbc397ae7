import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TabLinks } from '#app/ui/admin/tabs.tsx'
import { isTyping, readSingleKeys } from '#app/ui/admin/single-keys.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { readingProgressQuery, themesQuery, textSourcesQuery } from '../heard.queries.ts'
import type { ReadingProgress } from '../heard.schema.ts'
import { growMark, type Mark, moveMark } from '../marked-passages.ts'
import { AgreementView } from '../double-coding/admin/AgreementView.tsx'
import { MarkedText, Passages, TextHead } from './coded-text.tsx'
import { EditTheme, type Theme } from './EditTheme.tsx'
import { SuggestionsView } from './SuggestionsView.tsx'
import { KeyHelp, ThemeKeys } from './theme-keys.tsx'
import { useCoding } from './use-coding.ts'

export interface CodingSearch {
  source?: string | undefined
  language?: ContentLanguage | undefined
  unread?: boolean | undefined
  /** Suggested themes, or what two people sorted, rather than one text after the other. */
  view?: 'suggestions' | 'agreement' | undefined
  /** One's own sample, which is read without what others gave. */
  sample?: string | undefined
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
              onChange={(key) => onSearch({ ...search, source: key, sample: undefined })}
            />
            {search.view !== 'agreement' && !search.sample && (
              <LanguageChoice project={project.id} source={source.key} search={search} onSearch={onSearch} />
            )}
            {!search.view && !search.sample && (
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
          ) : search.view === 'agreement' ? (
            <AgreementView
              key={source.key}
              project={project.id}
              source={source.key}
              onRead={(sample) => onSearch({ source: source.key, sample })}
            />
          ) : (
            <Coding
              key={`${source.key} ${search.language} ${search.unread} ${search.sample}`}
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
  const { view, sample, ...rest } = search
  const address = { to: '/admin/projects/$id/heard/read', params: { id: project } } as const
  return (
    <TabLinks
      label={t('read.views')}
      links={[
        <Link key="read" {...address} search={rest} activeOptions={{ exact: true }} aria-current={view || sample ? undefined : 'page'}>
          {t('read.one-by-one')}
        </Link>,
        <Link
          key="suggestions"
          {...address}
          search={{ ...rest, view: 'suggestions' }}
          activeOptions={{ exact: true }}
          aria-current={view === 'suggestions' ? 'page' : undefined}
        >
          {t('suggest.title')}
        </Link>,
        <Link
          key="agreement"
          {...address}
          search={{ ...rest, view: 'agreement' }}
          activeOptions={{ exact: true }}
          aria-current={view === 'agreement' || sample ? 'page' : undefined}
        >
          {t('agreement.title')}
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
  const coding = useCoding({ project, source, language: search.language, unread: search.unread, sample: search.sample })
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
    if (last && !search.sample) void coding.quote(last)
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
      {search.sample ? <SampleHead coding={coding} /> : <Progress project={project} source={source} search={search} />}
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
              {!search.sample && (
                <Button kind="secondary" disabled={current.passages.length === 0} onClick={quoteLast}>
                  {t('read.quote')} {keysOn && <kbd>Q</kbd>}
                </Button>
              )}
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

/** What the second person does, and how far they are. */
function SampleHead({ coding: { texts } }: { coding: ReturnType<typeof useCoding> }) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  const read = texts.filter(({ isRead }) => isRead).length
  const values = { count: texts.length, read: format.number(read), total: format.number(texts.length) }
  return (
    <>
      <p className="meta">{t('agreement.blind')}</p>
      <output className="coding-progress">
        <ProgressBar label={t('read.progress', values)} value={read} max={texts.length} />
      </output>
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
