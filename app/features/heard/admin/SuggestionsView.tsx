import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { isTyping, readSingleKeys } from '#app/ui/admin/single-keys.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { suggestedPassagesQuery, suggestionRunsQuery, suggestionsQuery, themesQuery } from '../heard.queries.ts'
import { MAX_THEME } from '../heard.schema.ts'
import type { Theme } from './EditTheme.tsx'
import { KeyHelp, ThemeKeys } from './theme-keys.tsx'
import { type Suggestion, useActs, useSuggestions } from './use-suggestions.ts'

interface SuggestionsViewProps {
  project: string
  source: string
  language: ContentLanguage
}

type Run = Resource<'theme-suggestion-runs'>

/** Themes that the server suggests for one source and language. Nothing counts until a person confirms it here. */
export function SuggestionsView({ project, source, language }: SuggestionsViewProps) {
  const { t } = useTranslation('heard-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data: runs } = useQuery(suggestionRunsQuery(project, source, language))
  const { isBusy, act } = useActs()
  if (!runs) return <Skeleton label={common('loading')} lines={6} />
  const [newest] = runs.data
  const running = runs.data.find(({ state }) => state === 'waiting' || state === 'running')
  const done = runs.data.find(({ state }) => state === 'done')
  const ask = () =>
    act(() =>
      api.create('theme-suggestion-runs', {
        attributes: { source, language },
        relationships: { project: { type: 'projects', id: project } },
      }),
    )
  const askButton = (
    <Button kind={done ? 'secondary' : 'primary'} size={done ? 'small' : 'medium'} pending={isBusy} onClick={() => void ask()}>
      {t(done ? 'suggest.again' : 'suggest.do')}
    </Button>
  )
  return (
    <div className="admin-stack">
      {newest?.state === 'failed' && <Notice kind="error">{t('suggest.failed')}</Notice>}
      {running && <RunProgress run={running} onCancel={() => void act(() => api.remove('theme-suggestion-runs', running.id))} />}
      {!running && !done && (
        <EmptyState title={t('suggest.none')} action={askButton}>
          {t('suggest.none-text')}
        </EmptyState>
      )}
      {done && (
        <>
          <div className="row suggestions-head">
            <p className="meta">
              {t('suggest.made', {
                count: done.texts ?? 0,
                number: format.number(done.texts ?? 0),
                alike: format.number(done.textsAlike ?? 0),
                date: format.dateTime(done.finishedAt ?? done.createdAt),
              })}
            </p>
            {!running && askButton}
          </div>
          <Workspace key={done.id} project={project} run={done.id} language={language} />
        </>
      )}
    </div>
  )
}

function RunProgress({ run, onCancel }: { run: Run; onCancel: () => void }) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  return (
    <div className="admin-panel suggestions-progress">
      <output>
        <ProgressBar
          label={run.state === 'waiting' ? t('suggest.waiting') : t('suggest.running', { share: format.percent(run.progress / 100) })}
          value={run.progress}
        />
      </output>
      <Button kind="secondary" size="small" onClick={onCancel}>
        {t('suggest.cancel')}
      </Button>
    </div>
  )
}

interface WorkspaceProps {
  project: string
  run: string
  language: ContentLanguage
}

/** Number of passages shown at first. Only passages that were shown can be confirmed. */
const PASSAGES_AT_FIRST = 12

function Workspace({ project, run, language }: WorkspaceProps) {
  const { t } = useTranslation('heard-admin')
  const { t: common } = useTranslation()
  const { data: found } = useQuery(suggestionsQuery(run))
  const [keysOn, setKeysOn] = useState(readSingleKeys)
  if (!found) return <Skeleton label={common('loading')} lines={6} />
  if (found.data.length === 0) return <EmptyState title={t('suggest.nothing')}>{t('suggest.nothing-text')}</EmptyState>
  return (
    <>
      <Suggestions project={project} language={language} suggestions={found.data} keysOn={keysOn} />
      <KeyHelp
        name="suggestion-keys"
        keysOn={keysOn}
        onChange={setKeysOn}
        keys={[
          ['C', '', t('suggest.keys.confirm')],
          ['1', '9', t('suggest.keys.theme')],
          ['X', '', t('suggest.keys.reject')],
          ['0', 'B', t('suggest.keys.move')],
          ['M', '', t('suggest.keys.more')],
          ['Z', '', t('suggest.keys.undo')],
        ]}
      />
    </>
  )
}

interface SuggestionsProps {
  project: string
  language: ContentLanguage
  suggestions: readonly Suggestion[]
  keysOn: boolean
}

function Suggestions({ project, language, suggestions, keysOn }: SuggestionsProps) {
  const { t } = useTranslation('heard-admin')
  const acts = useSuggestions({ suggestions, first: suggestions.find(({ state }) => state === 'suggested')?.id })
  const { current } = acts
  return (
    <div className="coding">
      {current && (
        <section className="admin-panel coding-text" aria-labelledby="suggestion">
          <h2 id="suggestion" lang={language} dir={getDirection(language)}>
            {joinLabel(current)}
          </h2>
          <OneSuggestion key={current.id} project={project} suggestion={current} acts={acts} keysOn={keysOn} />
        </section>
      )}
      <section className="admin-panel coding-themes" aria-labelledby="suggestions">
        <h2 id="suggestions">{t('suggest.title')}</h2>
        <ol>
          {suggestions.map((suggestion, at) => (
            <li key={suggestion.id}>
              <button
                type="button"
                className="coding-theme"
                aria-current={suggestion.id === current?.id ? 'true' : undefined}
                onClick={() => acts.goTo(at)}
              >
                <SuggestionLine suggestion={suggestion} language={language} />
              </button>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

const joinLabel = ({ label }: Suggestion): string => label.join(', ')

function SuggestionLine({ suggestion, language }: { suggestion: Suggestion; language: ContentLanguage }) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  return (
    <>
      <span>
        <strong lang={language} dir={getDirection(language)}>
          {joinLabel(suggestion)}
        </strong>
        <small>{t(`suggest.states.${suggestion.state}`)}</small>
      </span>
      <span>{format.number(suggestion.texts)}</span>
    </>
  )
}

interface OneSuggestionProps {
  project: string
  suggestion: Suggestion
  acts: ReturnType<typeof useSuggestions>
  keysOn: boolean
}

function OneSuggestion({ project, suggestion, acts, keysOn }: OneSuggestionProps) {
  const { t } = useTranslation('heard-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data: themes } = useSuspenseQuery(themesQuery(project))
  const { data: passages } = useQuery(suggestedPassagesQuery(suggestion.id))
  const [shown, setShown] = useState(PASSAGES_AT_FIRST)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [title, setTitle] = useState(() => suggestTitle(suggestion))
  const listed = passages?.data.slice(0, shown) ?? []
  const chosen = listed.filter(({ id }) => !left.has(id)).map(({ id }) => id)
  const whole = themes.data.filter(({ relationships }) => !relationships.mergedInto)
  const isOpen = suggestion.state === 'suggested'
  const hasMore = passages !== undefined && passages.data.length > shown
  const mayConfirm = isOpen && chosen.length > 0
  const showMore = () => setShown((now) => now + PASSAGES_AT_FIRST)
  const confirmAsNew = () => (mayConfirm && title.trim() ? acts.confirm(suggestion, chosen, { title }) : Promise.resolve())
  const addTo = (theme: Theme) => (mayConfirm ? acts.confirm(suggestion, chosen, { theme: theme.id }) : Promise.resolve())
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!keysOn || event.defaultPrevented || event.repeat || event.altKey || event.ctrlKey || event.metaKey || isTyping(event)) return
    const theme = /^[1-9]$/.test(event.key) ? whole[Number(event.key) - 1] : undefined
    const keys: Record<string, () => void> = {
      c: () => void confirmAsNew(),
      x: () => void (isOpen && acts.reject(suggestion)),
      z: () => void acts.undo(),
      m: () => hasMore && showMore(),
      0: () => acts.goTo(acts.at + 1),
      b: () => acts.goTo(acts.at - 1),
    }
    const act = theme ? () => void addTo(theme) : keys[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  const becameTheme = themes.data.find(({ id }) => id === suggestion.relationships.theme?.id)
  return (
    <>
      <p className="meta">
        {t('suggest.alike', { count: suggestion.texts, number: format.number(suggestion.texts) })}{' '}
        {!isOpen && <Badge tone={suggestion.state === 'confirmed' ? 'ok' : 'neutral'}>{t(`suggest.states.${suggestion.state}`)}</Badge>}{' '}
        {becameTheme?.title}
      </p>
      {!passages && <Skeleton label={common('loading')} lines={4} />}
      <fieldset className="heard-passages suggested-passages" disabled={!isOpen}>
        <legend>{t('suggest.passages')}</legend>
        {listed.map(({ id, words }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={!left.has(id)}
              onChange={({ currentTarget: { checked } }) =>
                setLeft((now) => new Set(checked ? [...now].filter((each) => each !== id) : [...now, id]))
              }
            />
            <span lang={suggestion.language} dir={getDirection(suggestion.language)}>
              {words}
            </span>
          </label>
        ))}
      </fieldset>
      {passages && (
        <p className="meta">
          {t('suggest.listed', {
            count: passages.meta.total,
            number: format.number(listed.length),
            total: format.number(passages.meta.total),
          })}
        </p>
      )}
      {hasMore && (
        <Button kind="plain" size="small" onClick={showMore}>
          {t('suggest.more')} {keysOn && <kbd>M</kbd>}
        </Button>
      )}
      {isOpen ? (
        <>
          <TextInput
            name="title"
            label={t('suggest.theme-title')}
            language={suggestion.language}
            value={title}
            onChange={setTitle}
            maxLength={MAX_THEME.title}
          />
          <div className="row coding-actions">
            <Button pending={acts.isBusy} disabled={!mayConfirm || title.trim() === ''} onClick={() => void confirmAsNew()}>
              {t('suggest.confirm', { count: chosen.length, number: format.number(chosen.length) })} {keysOn && <kbd>C</kbd>}
            </Button>
            <Button kind="secondary" pending={acts.isBusy} onClick={() => void acts.reject(suggestion)}>
              {t('suggest.reject')} {keysOn && <kbd>X</kbd>}
            </Button>
            <UndoButton acts={acts} keysOn={keysOn} />
          </div>
          {whole.length > 0 && (
            <section className="coding-themes" aria-labelledby="suggestion-themes">
              <h3 id="suggestion-themes">{t('suggest.add-to')}</h3>
              <ThemeKeys themes={whole} keysOn={keysOn} onCode={(theme) => void addTo(theme)} />
            </section>
          )}
        </>
      ) : (
        <div className="row coding-actions">
          <Button kind="secondary" pending={acts.isBusy} onClick={() => void acts.takeBack(suggestion.id)}>
            {t('suggest.take-back')}
          </Button>
          <UndoButton acts={acts} keysOn={keysOn} />
        </div>
      )}
    </>
  )
}

function UndoButton({ acts, keysOn }: Pick<OneSuggestionProps, 'acts' | 'keysOn'>) {
  const { t } = useTranslation('heard-admin')
  return (
    <Button kind="secondary" disabled={!acts.canUndo} onClick={() => void acts.undo()}>
      {t('read.undo')} {keysOn && <kbd>Z</kbd>}
    </Button>
  )
}

/** Its words, beginning with a capital letter. */
function suggestTitle(suggestion: Suggestion): string {
  const [first = '', ...rest] = joinLabel(suggestion)
  return (first.toLocaleUpperCase(suggestion.language) + rest.join('')).slice(0, MAX_THEME.title)
}
