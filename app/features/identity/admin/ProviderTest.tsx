import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SignInFaultCode } from '#app/lib/vocabulary/identity.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { providerTestsQuery } from '../identity.queries.ts'
import { SIGN_IN_CHECKS } from '../identity.schema.ts'
import type { Provider } from './provider.ts'

const TONES = { passed: 'ok', failed: 'bad', 'not-reached': 'neutral' } as const

/** The checks up to the one that failed; those after it were not reached. */
function listResults(fault: SignInFaultCode | null) {
  const failing = SIGN_IN_CHECKS.findIndex(({ faults }) => (faults as readonly SignInFaultCode[]).includes(fault ?? 'blocked'))
  return SIGN_IN_CHECKS.map(({ id }, index) => ({
    id,
    result: failing < 0 || index < failing ? ('passed' as const) : index === failing ? ('failed' as const) : ('not-reached' as const),
  }))
}

/** Tries signing in, and shows in words what came, what was checked and what failed. */
export function ProviderTest({ provider }: { provider: Provider }) {
  const { id, testedAt, isMaker, clientAuth, protocol } = provider
  const { t } = useTranslation('identity-admin')
  const format = useFormat()
  const [test] = useSuspenseQuery(providerTestsQuery(id)).data.data
  return (
    <section className="admin-panel">
      <h2>{t('test.title')}</h2>
      {isMaker ? (
        <>
          <p>{t('test.text')}</p>
          <div className="row">
            <a className={getButtonClass()} href={`/sign-in/${id}?for=test`}>
              {t('test.start')}
            </a>
            <a href="/account/sign-in-methods">{t('test.link')}</a>
          </div>
        </>
      ) : (
        <p>{t('test.other')}</p>
      )}
      {!testedAt && !test?.fault && <p>{t('test.none')}</p>}
      {test && (
        <>
          <Notice kind={test.fault ? 'error' : 'success'} title={t(test.fault ? 'test.failed' : 'test.passed')}>
            {test.fault && <p>{t(`faults.${test.fault}`)}</p>}
            {test.fault === 'client-refused' && protocol === 'openid' && clientAuth === 'client-secret' && <p>{t('test.try-post')}</p>}
            <p>{t('test.when', { date: format.dateTime(test.at) })}</p>
          </Notice>
          <DataTable
            caption={t('test.checks')}
            rows={listResults(test.fault)}
            rowKey={(check) => check.id}
            loadingLabel=""
            empty={null}
            columns={[
              { id: 'check', head: t('test.checks'), names: true, cell: (check) => t(`checks.${check.id}`) },
              {
                id: 'result',
                head: t('state'),
                cell: ({ result }) => (
                  <Badge tone={TONES[result]} hollow={result === 'not-reached'}>
                    {t(`test.results.${result}`)}
                  </Badge>
                ),
              },
            ]}
          />
          {!test.fault && test.groups && <ReadGroups groups={test.groups} provider={provider} />}
          {test.claims && Object.keys(test.claims).length > 0 && (
            <DataTable
              caption={t('test.came')}
              rows={Object.entries(test.claims)}
              rowKey={([name]) => name}
              loadingLabel=""
              empty={null}
              columns={[
                { id: 'claim', head: t('test.claim'), names: true, cell: ([name]) => <code>{name}</code> },
                { id: 'value', head: t('test.value'), cell: ([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)) },
              ]}
            />
          )}
        </>
      )}
    </section>
  )
}

/** The groups as the rules are compared with them, and what follows. */
function ReadGroups({ groups, provider: { groupSeparator, roleRules } }: { groups: readonly string[]; provider: Provider }) {
  const { t } = useTranslation('identity-admin')
  const isRuled = roleRules.some(({ group }) => groups.includes(group))
  return (
    <>
      <h3>{t('test.groups')}</h3>
      {groups.length === 0 && <p>{t('test.no-groups')}</p>}
      <ul>
        {[...new Set(groups)].map((group) => (
          <li key={group}>
            <code>{group}</code>
          </li>
        ))}
      </ul>
      {groupSeparator !== 'guess' && <p>{t(`test.separated.${groupSeparator}`)}</p>}
      {roleRules.length > 0 && !isRuled && <Notice kind="warning" title={t('test.no-rule')} />}
    </>
  )
}
