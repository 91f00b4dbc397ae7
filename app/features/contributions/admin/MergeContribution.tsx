import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { ContributionLinkKind, ContributionState } from '#app/lib/vocabulary/contributions.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { Button } from '#app/ui/button.tsx'
import { FieldGroup } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { forgetContributions, linkableQuery, linksQuery } from '../contributions.queries.ts'

interface MergeContributionProps {
  id: string
  activity: string
  state: ContributionState
}

/** Brings a contribution together with another one, or undoes that. */
export function MergeContribution({ id, activity, state }: MergeContributionProps) {
  const links = useSuspenseQuery(linksQuery(id)).data
  const merge = links.data.find(({ kind, relationships }) => kind === 'duplicate_of' && relationships.contribution?.id === id)
  const related = links.data
    .filter(({ kind }) => kind === 'related')
    .flatMap((link) => {
      const ends = [findLinked(links, link.relationships.contribution), findLinked(links, link.relationships.target)]
      const other = ends.find((end) => end && end.id !== id)
      return other ? [{ link: link.id, id: other.id, number: other.number, title: other.title, language: other.language }] : []
    })
  const target = merge && findLinked(links, merge.relationships.target)
  return (
    <>
      {merge && target && state === 'merged' && <MergedInto merge={merge} target={target} />}
      {related.length > 0 && <RelatedList related={related} />}
      {state === 'published' && <MergeForm id={id} activity={activity} />}
    </>
  )
}

interface MergedIntoProps {
  merge: {
    id: string
    reason: string
    objection?: string
    objectionAnswer?: string
    supportsBefore?: number
    targetSupportsBefore?: number
    targetSupportsAfter?: number
  }
  target: { id: string; number: number; title: string }
}

function MergedInto({ merge, target }: MergedIntoProps) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const undo = useMutation({
    mutationFn: () => api.update('contribution-links', merge.id, { attributes: { ended: true, endReason: reason } }),
    onSuccess: () => {
      setAsking(false)
      showToast({ text: t('merging.undone') })
    },
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(undo.error)
  return (
    <section className="admin-stack" aria-labelledby="merged-into">
      <h2 id="merged-into">
        <Link to="/admin/contributions/$id" params={{ id: target.id }}>
          {t('merging.into', { number: target.number, title: target.title })}
        </Link>
      </h2>
      <p>
        {t('merging.counts', {
          own: format.number(merge.supportsBefore ?? 0),
          before: format.number(merge.targetSupportsBefore ?? 0),
          after: format.number(merge.targetSupportsAfter ?? 0),
        })}
      </p>
      <div>
        <h3>{t('merging.reason')}</h3>
        <PlainText text={merge.reason} />
      </div>
      {merge.objection && (
        <Notice title={t('merging.objection')}>
          <PlainText text={merge.objection} />
        </Notice>
      )}
      {merge.objectionAnswer && (
        <div>
          <h3>{t('merging.objection-answered')}</h3>
          <PlainText text={merge.objectionAnswer} />
        </div>
      )}
      {merge.objection && !merge.objectionAnswer && <ObjectionAnswer link={merge.id} />}
      <div className="row">
        <Button kind="secondary" onClick={() => setAsking(true)}>
          {t('merging.undo')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('merging.undo-title')}
          isOpen
          onClose={() => setAsking(false)}
          onConfirm={() => undo.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('merging.undo')}
          cancelLabel={t('common.cancel')}
          confirmDisabled={!reason.trim()}
        >
          {faults.map(({ message }) => (
            <Notice key={message} kind="error" title={message} />
          ))}
          <TextAreaInput name="endReason" label={t('merging.reason')} hint={t('merging.undo-hint')} value={reason} onChange={setReason} />
        </ConfirmDialog>
      )}
    </section>
  )
}

/** Keeps the two together, and tells the author why. To undo the merge is the other way to decide. */
function ObjectionAnswer({ link }: { link: string }) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [answer, setAnswer] = useState('')
  const send = useMutation({
    mutationFn: () => api.update('contribution-links', link, { attributes: { objectionAnswer: answer } }),
    onSuccess: () => showToast({ text: t('merging.objection-sent') }),
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(send.error)
  return (
    <form
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <TextAreaInput
        name="objectionAnswer"
        label={t('merging.objection-keep')}
        hint={t('merging.objection-keep-hint')}
        value={answer}
        onChange={setAnswer}
        error={faults[0]?.message}
        required
      />
      <div className="row">
        <Button type="submit" pending={send.isPending}>
          {t('merging.objection-send')}
        </Button>
      </div>
    </form>
  )
}

interface RelatedListProps {
  related: readonly { link: string; id: string; number: number; title: string; language: string }[]
}

function RelatedList({ related }: RelatedListProps) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: (link: string) => api.update('contribution-links', link, { attributes: { ended: true } }),
    onSuccess: () => showToast({ text: t('merging.unlinked') }),
    onSettled: () => forgetContributions(queryClient),
  })
  return (
    <section className="admin-stack" aria-labelledby="related">
      <h2 id="related">{t('merging.related')}</h2>
      <ul className="admin-list">
        {related.map(({ link, id, number, title, language }) => (
          <li key={link} className="admin-panel">
            <Link to="/admin/contributions/$id" params={{ id }} lang={language} dir={getDirection(language)}>
              {title}
            </Link>
            <Button kind="plain" size="small" pending={end.isPending && end.variables === link} onClick={() => end.mutate(link)}>
              {t('merging.unrelate', { number })}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function MergeForm({ id, activity }: { id: string; activity: string }) {
  const { t } = useTranslation('contributions-admin')
  const { t: participant } = useTranslation('contributions')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [words, setWords] = useState('')
  const [target, setTarget] = useState('')
  const [reason, setReason] = useState('')
  const found = useQuery(linkableQuery({ activity }, useDebouncedValue(words.trim(), 250))).data
  const options = found?.data.filter((contribution) => contribution.id !== id) ?? []
  const link = useMutation({
    mutationFn: (kind: ContributionLinkKind) =>
      api.create('contribution-links', {
        attributes: { kind, ...(kind === 'duplicate_of' && { reason }) },
        relationships: { contribution: { type: 'contributions', id }, target: { type: 'contributions', id: target } },
      }),
    onSuccess: async (_, kind) => {
      setWords('')
      setTarget('')
      setReason('')
      showToast({ text: t(kind === 'related' ? 'merging.linked' : 'merging.merged') })
      await forgetContributions(queryClient)
    },
  })
  const { faults } = useEditorTexts(link.error)
  return (
    <section className="admin-stack" aria-labelledby="merge">
      <h2 id="merge">{t('merging.title')}</h2>
      <p>{t('merging.about')}</p>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <div className="admin-form">
        <TextInput
          name="merge-search"
          type="search"
          label={t('merging.search')}
          hint={t('merging.search-hint')}
          value={words}
          onChange={setWords}
          maxLength={200}
        />
        {found && options.length === 0 && <output>{t('merging.none')}</output>}
        {options.length > 0 && (
          <FieldGroup field={{ name: 'target', label: t('merging.choose') }} radios>
            <div className="options options-plain">
              {options.map((option) => (
                <div className="option-slot" key={option.id}>
                  <label className="option">
                    <input
                      type="radio"
                      name="target"
                      value={option.id}
                      checked={target === option.id}
                      onChange={() => setTarget(option.id)}
                    />
                    <span className="option-label" lang={option.language} dir={getDirection(option.language)}>
                      {t('merging.option', {
                        number: option.number,
                        title: option.title,
                        supports: participant('supports', { count: option.supports, number: format.number(option.supports) }),
                      })}
                    </span>
                  </label>
                </div>
              ))}
            </div>
          </FieldGroup>
        )}
        {target && (
          <>
            <TextAreaInput
              name="merge-reason"
              label={t('merging.reason')}
              hint={t('merging.reason-hint')}
              value={reason}
              onChange={setReason}
            />
            <div className="row">
              <Button pending={link.isPending} disabled={!reason.trim()} onClick={() => link.mutate('duplicate_of')}>
                {t('merging.merge')}
              </Button>
              <Button kind="plain" pending={link.isPending} onClick={() => link.mutate('related')}>
                {t('merging.relate')}
              </Button>
            </div>
          </>
        )}
      </div>
    </section>
  )
}
