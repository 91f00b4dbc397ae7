import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordName } from '#app/shell/admin/record-choice.tsx'
import { hubSource, projectSource } from '#app/shell/admin/record-sources.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PROVIDERS_KEY } from '../identity.queries.ts'
import type { RoleRule } from '../identity.schema.ts'
import type { Provider } from './provider.ts'

type Waiting = NonNullable<Provider['waitingChange']>
type Change = Waiting['changes'][number]

/** A setting's label on this page. */
const LABELS = {
  name: 'name',
  audience: 'audience',
  issuer: 'issuer',
  clientId: 'client-id',
  clientAuth: 'auth',
  clientSecret: 'client-secret',
  ssoUrl: 'sso-url',
  certificates: 'certificates',
  assertionEncryption: 'encryption',
  signsRequests: 'signs-requests',
  claims: 'claims',
  provesEmail: 'proves-email',
  createsAccounts: 'creates-accounts',
  allowedDomains: 'domains',
  requiredAcr: 'levels',
  provesLevel: 'proves-level',
  roleRules: 'rules',
  state: 'state',
} as const

const isLabelled = (name: string): name is keyof typeof LABELS => name in LABELS

/** A change that waits for a second administrator, who decides here. The person who asked for it may withdraw it. */
export function WaitingChange({ waiting }: { waiting: Waiting }) {
  const { t } = useTranslation('identity-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const decide = useMutation({
    mutationFn: async (agrees: boolean) =>
      agrees
        ? void (await api.create('identity-provider-agreements', {
            relationships: { change: { type: 'identity-provider-changes', id: waiting.id } },
          }))
        : api.remove('identity-provider-changes', waiting.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: PROVIDERS_KEY }),
  })
  const { isOwn, askedBy: name } = waiting
  const date = format.dateTime(waiting.askedAt)
  return (
    <section className="admin-panel">
      <h2>{t('waiting.title')}</h2>
      <Notice kind="warning">
        <p>{isOwn ? t('waiting.own', { date }) : t('waiting.other', { name, date })}</p>
        <p>{t('waiting.replaced')}</p>
      </Notice>
      <ChangesTable changes={waiting.changes} />
      <Refusal error={decide.error} />
      <div className="row">
        {!isOwn && (
          <Button pending={decide.isPending} onClick={() => decide.mutate(true)}>
            {t('waiting.agree')}
          </Button>
        )}
        <Button kind="secondary" pending={decide.isPending} onClick={() => decide.mutate(false)}>
          {t(isOwn ? 'waiting.take-back' : 'waiting.refuse')}
        </Button>
      </div>
    </section>
  )
}

function ChangesTable({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation('identity-admin')
  return (
    <DataTable
      caption={t('waiting.changes')}
      rows={changes}
      rowKey={({ name }) => name}
      loadingLabel=""
      empty={null}
      columns={[
        { id: 'setting', head: t('waiting.setting'), names: true, cell: ({ name }) => (isLabelled(name) ? t(LABELS[name]) : name) },
        {
          id: 'now',
          head: t('waiting.now'),
          cell: renderFormer,
          underName: (change) => <NamedValue label={t('waiting.now')}>{renderFormer(change)}</NamedValue>,
        },
        {
          id: 'then',
          head: t('waiting.then'),
          cell: renderNext,
          underName: (change) => <NamedValue label={t('waiting.then')}>{renderNext(change)}</NamedValue>,
        },
      ]}
    />
  )
}

const renderFormer = ({ name, from }: Change) => <SettingValue name={name} value={from} isNew={false} />
const renderNext = ({ name, to }: Change) => <SettingValue name={name} value={to} isNew />

/** On a narrow screen, where values stand below their setting. */
const NamedValue = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <strong>{label}</strong>
    <div>{children}</div>
  </div>
)

function SettingValue({ name, value, isNew }: { name: string; value: unknown; isNew: boolean }) {
  const { t } = useTranslation('identity-admin')
  if (name === 'clientSecret') return t(isNew ? 'waiting.secret-then' : 'waiting.secret-now')
  if (typeof value === 'boolean') return t(value ? 'waiting.yes' : 'waiting.no')
  if (name === 'state') return t(`states.${value as Provider['state']}`)
  if (name === 'audience') return t(`audiences.${value as Provider['audience']}`)
  if (name === 'clientAuth') return t(`auths.${value as Provider['clientAuth']}`)
  if (name === 'assertionEncryption') return t(`encryptions.${value as Provider['assertionEncryption']}`)
  if (name === 'roleRules' && (value as RoleRule[]).length > 0)
    return (value as RoleRule[]).map((rule) => <RuleText key={JSON.stringify(rule)} rule={rule} />)
  const lines = listLines(value)
  if (lines.length === 0) return t('waiting.none')
  if (lines.length === 1) return lines[0]
  return lines.map((line) => <div key={line}>{line}</div>)
}

function listLines(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.map(toLine)
  if (typeof value !== 'object') return [toLine(value)]
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.entries(one).map(([inner, each]) => `${key}.${inner} = ${toLine(each)}`)
      : `${key} = ${toLine(one)}`,
  )
}

const toLine = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const HUBS = hubSource()
const PROJECTS = projectSource()

/** A rule in words: group, role and place. */
function RuleText({ rule: { group, role, hub, project } }: { rule: RoleRule }) {
  const { t } = useTranslation('identity-admin')
  const id = hub ?? project
  const name = useRecordName(hub === null ? PROJECTS : HUBS, id)
  const named = { group, role: t(`roles.${role}`) }
  return <div>{id === null ? t('waiting.rule', named) : t('waiting.rule-in', { ...named, place: name ?? id })}</div>
}
