import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { hasText } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions, setMembersQuery } from '../contributions.queries.ts'
import { SET_PAGE_SIZE } from '../desk/desk-search.ts'
import { askAgainForAnswers, decideOnAnswers } from '../desk/desk.functions.ts'
import { PlainText } from '../parts/contribution-parts.tsx'
import { AnswerFields, useMissingTexts } from './answer-fields.tsx'
import { type AnswerSet, useSetWords } from './use-set-words.ts'

type Act = Parameters<typeof decideOnAnswers>[0]['data']['act']

const DONE = {
  agree: 'answer-sets.agreed',
  return: 'draft.returned-now',
  'take-back': 'draft.unasked',
  discard: 'draft.discarded',
} as const

/** An answer to many: its words, where it goes, and what can be done with it. */
export function AnswerSetDialog({ set, onClose }: { set: AnswerSet; onClose: () => void }) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const describe = useSetWords()
  const queryClient = useQueryClient()
  const format = useFormat()
  const [reason, setReason] = useState<string>()
  const [fields, setFields] = useState({ textTranslations: set.textTranslations, teamTranslations: set.teamTranslations })
  const missing = useMissingTexts({ text: fields.textTranslations, team: fields.teamTranslations }, set.waived)
  const { id, lockVersion } = set
  const decide = useMutation({
    mutationFn: async (act: Act) => {
      await decideOnAnswers({ data: { id, lockVersion, act, ...(act === 'return' && { reason: reason ?? '' }) } })
      showToast({ text: t(DONE[act]) })
    },
    onSuccess: onClose,
    onSettled: () => forgetContributions(queryClient),
  })
  const ask = useMutation({
    mutationFn: () =>
      askAgainForAnswers({ data: { id, lockVersion, status: set.status?.id ?? null, ...fields, waived: [...missing.waived] } }),
    onSuccess: async () => {
      showToast({ text: t('draft.asked-now') })
      onClose()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(decide.error ?? ask.error)
  const isDraft = set.state === 'draft'
  const isBusy = decide.isPending || ask.isPending
  return (
    <Dialog title={describe(set)} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')} size="large">
      <div className="admin-form">
        {words.faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        {isDraft && set.returnReason && (
          <Notice kind="warning" title={t('queue.reason')}>
            <PlainText text={set.returnReason} />
          </Notice>
        )}
        <p>{t(isDraft ? 'draft.needs-agreement' : set.canAgree ? 'answer-sets.asked-about' : 'draft.asked-own-about')}</p>
        <p>
          {set.status
            ? t('answer-sets.status', { status: set.status.title })
            : `${t('answer.status')}${format.colon}${t('desk.answer.keep')}`}
        </p>
        {isDraft ? (
          <>
            <AnswerFields fields={fields} onChange={setFields} isPublic words={words} prefix="set-" />
            {missing.choice}
          </>
        ) : (
          <SetTexts set={set} />
        )}
        <SetMembers id={id} />
        {reason !== undefined && (
          <TextAreaInput
            name="returnReason"
            label={t('queue.reason')}
            hint={t('draft.return-hint')}
            value={reason}
            onChange={setReason}
            rows={3}
            required
          />
        )}
        <div className="row">
          {isDraft && (
            <>
              <Button pending={ask.isPending} disabled={missing.isOpen || !hasText(fields.textTranslations)} onClick={() => ask.mutate()}>
                {t('draft.ask')}
              </Button>
              <Button kind="secondary" disabled={isBusy} onClick={() => decide.mutate('discard')}>
                {t('draft.discard')}
              </Button>
            </>
          )}
          {set.canAgree && reason === undefined && (
            <Button pending={decide.isPending} onClick={() => decide.mutate('agree')}>
              {t('draft.agree')}
            </Button>
          )}
          {set.canAgree && (
            <Button
              kind="secondary"
              disabled={isBusy || reason?.trim() === ''}
              onClick={() => (reason === undefined ? setReason('') : decide.mutate('return'))}
            >
              {t('draft.return')}
            </Button>
          )}
          {set.state === 'asked' && !set.canAgree && (
            <Button kind="secondary" disabled={isBusy} onClick={() => decide.mutate('take-back')}>
              {t('draft.take-back')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** The words in each language that has them. */
function SetTexts({ set }: { set: AnswerSet }) {
  const { languages } = useSite()
  return languages
    .filter((language) => set.textTranslations[language]?.trim())
    .map((language) => (
      <section key={language} aria-label={LANGUAGE_NAMES[language]}>
        <p className="meta">{[LANGUAGE_NAMES[language], set.teamTranslations[language]].filter(Boolean).join(' · ')}</p>
        <div lang={language}>
          <PlainText text={set.textTranslations[language] ?? ''} />
        </div>
      </section>
    ))
}

/** Which contributions get it, a page at a time. */
function SetMembers({ id }: { id: string }) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const [page, setPage] = useState(1)
  const { data, total } = useQuery(setMembersQuery(id, page)).data ?? { data: [], total: 0 }
  const pages = Math.ceil(total / SET_PAGE_SIZE)
  return (
    <section aria-labelledby="set-members">
      <h3 id="set-members">{t('answer-sets.members', { count: total, number: format.number(total) })}</h3>
      <ul>
        {data.map((one) => (
          <li key={one.id}>
            <Link to="/admin/contributions/$id" params={{ id: one.id }} target="_blank" lang={one.language}>
              {one.title || t('desk.untitled')}
            </Link>{' '}
            <span className="meta">{t('queue.in', { activity: one.activity, number: one.number })}</span>{' '}
            {one.state !== 'published' && <Badge tone="bad">{t(`states.${one.state}`)}</Badge>}
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <div className="row">
          <Button kind="secondary" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {admin('pages.previous')}
          </Button>
          <span>
            {admin('pages.range', {
              from: format.number((page - 1) * SET_PAGE_SIZE + 1),
              to: format.number(Math.min(total, page * SET_PAGE_SIZE)),
              total: format.number(total),
            })}
          </span>
          <Button kind="secondary" size="small" disabled={page === pages} onClick={() => setPage(page + 1)}>
            {admin('pages.next')}
          </Button>
        </div>
      )}
    </section>
  )
}
