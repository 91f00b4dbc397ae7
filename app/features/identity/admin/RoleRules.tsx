import { useTranslation } from 'react-i18next'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { hubSource, projectSource } from '#app/shell/admin/record-sources.ts'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import type { RoleRule } from '../identity.schema.ts'

const HUBS = hubSource()
const PROJECTS = projectSource()
const GROUP_ROLES = ['site_admin', 'hub_admin', 'project_admin'] as const

/** Which role the members of each group get, and where. */
export function RoleRules({ rules, onChange }: { rules: readonly RoleRule[]; onChange: (next: RoleRule[]) => void }) {
  const { t } = useTranslation('identity-admin')
  const changeRule = (index: number, next: Partial<RoleRule>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...next } : rule)))
  return (
    <fieldset className="admin-form">
      <legend>{t('rules')}</legend>
      <p>{t('rules-text')}</p>
      {rules.map((rule, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rules are identified by position only, and their fields hold no local state
        <div className="row" key={index}>
          <TextInput
            name={`group-${index}`}
            label={t('rule-group')}
            value={rule.group}
            onChange={(group) => changeRule(index, { group })}
            maxLength={200}
          />
          <SelectInput
            name={`role-${index}`}
            label={t('rule-role')}
            value={rule.role}
            onChange={(role) => changeRule(index, { role, hub: null, project: null })}
            options={GROUP_ROLES.map((value) => ({ value, label: t(`roles.${value}`) }))}
          />
          {rule.role === 'hub_admin' && (
            <RecordChoice
              name={`hub-${index}`}
              label={t('rule-hub')}
              source={HUBS}
              value={rule.hub}
              onChange={(hub) => changeRule(index, { hub })}
            />
          )}
          {rule.role === 'project_admin' && (
            <RecordChoice
              name={`project-${index}`}
              label={t('rule-project')}
              source={PROJECTS}
              value={rule.project}
              onChange={(project) => changeRule(index, { project })}
            />
          )}
          <Button kind="plain" size="small" onClick={() => onChange(rules.filter((_, at) => at !== index))}>
            {t('rule-remove', { group: rule.group })}
          </Button>
        </div>
      ))}
      <div>
        <Button
          kind="secondary"
          size="small"
          onClick={() => onChange([...rules, { group: '', role: 'hub_admin', hub: null, project: null }])}
        >
          {t('rule-add')}
        </Button>
      </div>
    </fieldset>
  )
}
