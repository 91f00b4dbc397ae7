import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiScope } from '#app/lib/vocabulary/api-scopes.ts'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { apiTokensQuery } from '../api-tokens.queries.ts'
import { NewApiToken } from './NewApiToken.tsx'

type Token = Awaited<ReturnType<NonNullable<typeof apiTokensQuery.queryFn>>>['data'][number]

/** Tokens of programs: making one, and what became of each. */
export function ApiTokensPage() {
  const { t } = useTranslation('api')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const tokens = useSuspenseQuery(apiTokensQuery).data.data
  const [revoking, setRevoking] = useState<Token>()
  const revoke = useMutation({
    mutationFn: (token: Token) => api.remove('api-tokens', token.id),
    onSettled: async () => {
      setRevoking(undefined)
      await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey })
    },
  })
  const describeScope = (scope: ApiScope) => {
    const [area, access] = scope.split(':') as ['content', 'read' | 'write']
    return `${t(`tokens.areas.${area}`)} (${t(`tokens.access.${access}`)})`
  }
  return (
    <div className="admin-stack">
      <PageHeader title={admin('nav.api-tokens')} meta={t('tokens.text')} />
      <NewApiToken />
      <DataTable
        caption={t('tokens.list')}
        rows={tokens}
        rowKey={(token) => token.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('tokens.none')} />}
        columns={[
          { id: 'name', head: t('tokens.name'), names: true, cell: (token) => token.name },
          { id: 'scopes', head: t('tokens.scopes'), underName: true, cell: (token) => format.list(token.scopes.map(describeScope)) },
          { id: 'maker', head: t('tokens.maker'), secondary: true, cell: (token) => token.maker },
          {
            id: 'until',
            head: t('tokens.until'),
            secondary: true,
            underName: (token) => `${t('tokens.until')}${format.colon}${format.date(token.expiresAt)}`,
            cell: (token) => format.date(token.expiresAt),
          },
          {
            id: 'used',
            head: t('tokens.used'),
            secondary: true,
            cell: (token) => (token.lastUsedAt ? format.dateTime(token.lastUsedAt) : t('tokens.never')),
          },
          {
            id: 'state',
            head: t('tokens.state'),
            underName: true,
            cell: (token) => <Badge hollow={token.state !== 'active'}>{t(`tokens.states.${token.state}`)}</Badge>,
          },
          {
            id: 'revoke',
            head: t('tokens.revoke'),
            acts: true,
            cell: (token) =>
              token.meta.can.revoke && (
                <Button kind="secondary" size="small" onClick={() => setRevoking(token)}>
                  {t('tokens.revoke')}
                </Button>
              ),
          },
        ]}
      />
      <ConfirmDialog
        title={t('tokens.revoke-title', { name: revoking?.name ?? '' })}
        isOpen={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        onConfirm={async () => {
          if (revoking) await revoke.mutateAsync(revoking).catch(() => undefined)
        }}
        confirmLabel={t('tokens.revoke')}
        cancelLabel={t('tokens.keep')}
        danger
      >
        <p>{t('tokens.revoke-text')}</p>
      </ConfirmDialog>
    </div>
  )
}
