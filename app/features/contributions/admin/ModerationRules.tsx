import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ModerationSettings } from './ModerationSettings.tsx'
import { forgetContributions, moderationRulesQuery } from '../contributions.queries.ts'

type RuleDocument = Resource<'moderation-rules'>

/** The site's rules; only its administrators can change them. */
export function ModerationRules() {
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const rules = useSuspenseQuery(moderationRulesQuery).data.data
  const [editing, setEditing] = useState<RuleDocument | 'new'>()
  const change = useMutation({
    mutationFn: (rule: RuleDocument) =>
      api.update('moderation-rules', rule.id, { attributes: { archived: !rule.archived } }, { lockVersion: rule.meta.lockVersion }),
    onSuccess: () => showToast({ text: words('common.saved') }),
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(change.error)
  const mayEdit = rules.some(({ meta }) => meta.can.update)
  return (
    <section className="admin-stack" aria-labelledby="rules-heading">
      <h2 id="rules-heading" className="queue-all">
        {t('rules.title')}
      </h2>
      <p>
        {t('rules.about')} <a href={toLocalHref('/moderation')}>{t('rules.see')}</a>
      </p>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <ul className="admin-list">
        {rules.map((rule) => (
          <li key={rule.id} className="admin-panel">
            <span>
              <strong>{rule.label}</strong>
              <br />
              {rule.explanation}
            </span>
            <span className="row">
              {rule.archived && <Badge>{t('rules.archived')}</Badge>}
              {mayEdit && (
                <>
                  <Button kind="plain" size="small" onClick={() => setEditing(rule)}>
                    {words('common.edit')}
                    <span className="visually-hidden"> {rule.label}</span>
                  </Button>
                  <Button kind="plain" size="small" pending={change.isPending} onClick={() => change.mutate(rule)}>
                    {t(rule.archived ? 'rules.restore' : 'rules.archive')}
                    <span className="visually-hidden"> {rule.label}</span>
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {mayEdit && (
        <div className="row">
          <Button kind="secondary" onClick={() => setEditing('new')}>
            {t('rules.add')}
          </Button>
        </div>
      )}
      <ModerationSettings />
      {editing && <EditRule rule={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </section>
  )
}

interface EditRuleProps {
  /** Undefined for a new one. */
  rule: RuleDocument | undefined
  onClose: () => void
}

function EditRule({ rule, onClose }: EditRuleProps) {
  const { t } = useTranslation('moderation-admin')
  const { t: common } = useTranslation('contributions-admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [fields, setFields] = useState({
    labelTranslations: rule?.labelTranslations ?? {},
    explanationTranslations: rule?.explanationTranslations ?? {},
  })
  const save = useMutation({
    mutationFn: async () => {
      if (rule) await api.update('moderation-rules', rule.id, { attributes: fields }, { lockVersion: rule.meta.lockVersion })
      else await api.create('moderation-rules', { attributes: fields })
    },
    onSuccess: async () => {
      onClose()
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t(rule ? 'rules.edit' : 'rules.add')}
      saveLabel={common('common.save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
    >
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'labelTranslations', label: t('rules.label') },
          { name: 'explanationTranslations', label: t('rules.explanation'), hint: t('rules.explanation-hint'), rows: 4 },
        ]}
        values={fields}
        onChange={(name, text) => setFields((before) => ({ ...before, [name]: text }))}
        messageOf={words.messageOf}
        words={words.texts}
      />
    </EditDialog>
  )
}
