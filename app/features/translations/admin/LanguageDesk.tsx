import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { stringifySearchParams } from '#app/lib/search-params.ts'
import { ListChoice, ListFind, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useTextNames } from '#app/shell/admin/use-text-names.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { deskQuery } from '../translations.queries.ts'
import { type DeskPage, type DeskSearch, TEXT_AUDIENCES, TEXT_KINDS, TEXT_STATES, TEXTS_PER_PAGE } from '../translations.schema.ts'
import { BulkTexts } from './BulkTexts.tsx'
import { ImportTranslations } from './ImportTranslations.tsx'
import { TextEditor } from './TextEditor.tsx'
import { TextStateBadge } from './TextStateBadge.tsx'

/** All texts of the site by their state in one language, with one of them beside its source to be written. */
export function LanguageDesk({ search }: { search: DeskSearch }) {
  const { t } = useTranslation('translations')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { contentLanguages: languages, locale } = useSite()
  const format = useFormat()
  const [isImporting, setImporting] = useState(false)
  const list = useList(search, (next) => linkOptions({ to: '/admin/languages', search: next }))
  const { data, isError, refetch } = useQuery(deskQuery(list.search))
  if (isError)
    return (
      <Notice kind="error" title={admin('load-failed')}>
        <Button kind="secondary" size="small" onClick={() => void refetch()}>
          {common('try-again')}
        </Button>
      </Notice>
    )
  if (!data) return <Skeleton label={common('loading')} lines={6} />
  const { from, to, counts, texts } = data
  const all = TEXT_STATES.reduce((sum, state) => sum + counts[state], 0)
  const exported = (kind: 'xlsx' | 'xliff') => {
    const { text: _text, page: _page, ...filters } = list.search
    window.location.assign(`/admin/languages.${kind}${stringifySearchParams({ ...filters, to, state: data.state })}`)
  }
  return (
    <div className="admin-stack">
      <PageHeader
        title={admin('nav.languages')}
        meta={t('meta', { from: getLanguageName(from), to: getLanguageName(to), count: all, number: format.number(all) })}
        actions={
          <>
            <Button kind="secondary" onClick={() => setImporting(true)}>
              {t('import.open')}
            </Button>
            <Menu
              label={t('export.open')}
              look={{ kind: 'secondary' }}
              groups={[
                [
                  { id: 'xlsx', label: t('export.xlsx'), onAction: () => exported('xlsx') },
                  { id: 'xliff', label: t('export.xliff'), onAction: () => exported('xliff') },
                ],
              ]}
            />
          </>
        }
      />
      <nav className="text-states" aria-label={t('states.label')}>
        {TEXT_STATES.map((state) => (
          <Link
            key={state}
            to="/admin/languages"
            search={{ ...withoutPlace(list.search), state }}
            aria-current={state === data.state ? 'true' : undefined}
          >
            <b>{format.number(counts[state])}</b>
            <span>
              <strong>{t(`states.${state}`)}</strong>
              <small>{t(`state-hints.${state}`)}</small>
            </span>
          </Link>
        ))}
      </nav>
      <FilterBar>
        <ListFind list={list} name="q" label={t('filters.find')} button={t('filters.button')} also={{ text: undefined }} />
        <ListChoice
          list={list}
          name="to"
          label={t('filters.to')}
          any={t('filters.usual', { language: getLanguageName(languages.find((one) => one !== locale) ?? locale) })}
          options={languages.map((value) => ({ value, label: getLanguageName(value) }))}
          also={{ text: undefined }}
        />
        <ListRecordChoice
          list={list}
          name="project"
          label={t('filters.project')}
          any={t('filters.any-project')}
          source={projectSource({ managed: true })}
          also={{ text: undefined }}
        />
        <ListChoice
          list={list}
          name="kind"
          label={t('filters.kind')}
          any={t('filters.any-kind')}
          options={TEXT_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          also={{ text: undefined }}
        />
        <ListChoice
          list={list}
          name="audience"
          label={t('filters.audience')}
          any={t('filters.any-audience')}
          options={TEXT_AUDIENCES.map((value) => ({ value, label: t(`audiences.${value}`) }))}
          also={{ text: undefined }}
        />
      </FilterBar>
      {texts.length === 0 && !data.open ? (
        <EmptyState title={t(all === 0 ? 'none' : `none-in.${data.state}`)}>{all === 0 && list.linkToAll(t('all'))}</EmptyState>
      ) : (
        <div className="language-desk">
          <TextList key={`${data.state} ${to} ${String(list.search.page)}`} page={data} search={list.search} />
          {data.open ? (
            <TextEditor
              key={`${data.open.id} ${to}`}
              text={data.open}
              translator={data.translator}
              canPublish={data.canPublish}
              next={findNext(data)}
              search={list.search}
            />
          ) : (
            <p className="admin-panel">{t('choose')}</p>
          )}
        </div>
      )}
      {isImporting && <ImportTranslations onClose={() => setImporting(false)} />}
    </div>
  )
}

const withoutPlace = ({ text: _text, page: _page, state: _state, ...search }: DeskSearch) => search

/** Id of the text after the open one. */
function findNext({ texts, open }: DeskPage): string | undefined {
  const at = texts.findIndex(({ id }) => id === open?.id)
  return texts[at + 1]?.id
}

function TextList({ page, search }: { page: DeskPage; search: DeskSearch }) {
  const { texts, total, state } = page
  const { t } = useTranslation('translations')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const nameText = useTextNames()
  const { text: open, ...list } = search
  const [chosen, setChosen] = useState<readonly string[]>([])
  const inView = texts.map(({ id }) => id)
  const shown = chosen.filter((id) => inView.includes(id))
  const isDone = state === 'done'
  return (
    <section className="admin-panel text-list" aria-labelledby="texts">
      <h2 id="texts">{t(`in-state.${state}`, { count: total, number: format.number(total) })}</h2>
      {!isDone && total > 0 && (
        <div className="text-bulk">
          <label>
            <input
              type="checkbox"
              checked={shown.length === inView.length}
              ref={(box) => {
                if (box) box.indeterminate = shown.length > 0 && shown.length < inView.length
              }}
              onChange={(event) => setChosen(event.target.checked ? inView : [])}
            />
            {admin('bulk.select-all')}
          </label>
          <BulkTexts page={page} search={search} chosen={shown} onDone={() => setChosen([])} />
        </div>
      )}
      <ul>
        {texts.map((text) => (
          <li key={text.id}>
            {!isDone && (
              <input
                type="checkbox"
                checked={chosen.includes(text.id)}
                aria-label={admin('bulk.select', { name: `${text.title}${format.colon}${nameText(text.pointer)}` })}
                onChange={(event) =>
                  setChosen((before) => (event.target.checked ? [...before, text.id] : before.filter((id) => id !== text.id)))
                }
              />
            )}
            <Link
              to="/admin/languages"
              search={{ ...list, state, text: text.id }}
              resetScroll={false}
              aria-current={text.id === open ? 'true' : undefined}
            >
              <b>
                {text.title}
                {format.colon}
                {nameText(text.pointer)}
              </b>
              <span>
                {t(`kinds.${text.kind}`)} · {t(`audiences.${text.isPublic ? 'public' : 'draft'}`)}
                <TextStateBadge state={text.state} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <TableFoot
        total={total}
        page={search.page ?? 1}
        size={TEXTS_PER_PAGE}
        link={(page, children, attributes) => (
          <Link to="/admin/languages" search={{ ...list, state, page }} {...attributes}>
            {children}
          </Link>
        )}
      />
    </section>
  )
}
