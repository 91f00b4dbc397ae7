import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar, Segmented } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { measureSegments } from '#app/lib/sms-segments.ts'
import { SMS_DIRECTIONS, type SmsDirection } from '#app/lib/vocabulary/sms.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { forgetMessages, MESSAGES_PER_PAGE, messagesQuery } from '../sms.queries.ts'
import { MessageBadge } from './MessageBadge.tsx'

type Message = Awaited<ReturnType<NonNullable<ReturnType<typeof messagesQuery>['queryFn']>>>['data'][number]
const ANY = 'any'

/** Every text sent or received. */
export function Messages({ page, way, tabs }: { page: number; way: SmsDirection | undefined; tabs: ReactNode }) {
  const { t } = useTranslation('sms')
  const list = useList<{ way?: SmsDirection; page?: number }>(omitUndefined({ way, page }), (search) =>
    linkOptions({ to: '/admin/campaigns/messages', search }),
  )
  const columns = useColumns()
  const [testing, setTesting] = useState(false)
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('messages.title')}
        meta={t('messages.text')}
        actions={
          <>
            <a href="/admin/sms-consents.csv">{t('ledger')}</a>
            <Button onClick={() => setTesting(true)}>{t('test.open')}</Button>
          </>
        }
        tabs={tabs}
      />
      <ListScreen
        list={list}
        caption={t('messages.title')}
        columns={columns}
        query={useQuery(messagesQuery(page, way))}
        pageSize={MESSAGES_PER_PAGE}
        filters={
          <FilterBar>
            <Segmented<SmsDirection | typeof ANY>
              label={t('messages.way')}
              value={way ?? ANY}
              onChange={(value) => list.change({ way: value === ANY ? undefined : value })}
              options={[
                { value: ANY, label: t('messages.any-way') },
                ...SMS_DIRECTIONS.map((value) => ({ value, label: t(`direction.${value}`) })),
              ]}
            />
          </FilterBar>
        }
        none={<EmptyState title={t('messages.none')}>{t('messages.none-text')}</EmptyState>}
      />
      {testing && <TestMessage onClose={() => setTesting(false)} />}
    </div>
  )
}

function useColumns(): readonly Column<Message>[] {
  const { t } = useTranslation('sms')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  return [
    {
      id: 'phone',
      head: t('messages.phone'),
      names: true,
      cell: (row) => (
        <>
          <span className="text-nowrap">{row.phone || '—'}</span>
          <div className="meta">
            <MessageBadge status={row.status} />
            {row.fault && <span>{errors(`codes.${row.fault}`)}</span>}
          </div>
        </>
      ),
    },
    { id: 'way', head: t('messages.way'), secondary: true, cell: (row) => t(`direction.${row.direction}`) },
    {
      id: 'body',
      head: t('messages.body'),
      cell: (row) => (
        <span lang={row.language} dir={getDirection(row.language)} className="sms-body">
          {row.body}
        </span>
      ),
    },
    { id: 'purpose', head: t('messages.purpose'), secondary: true, cell: (row) => t(`purpose.${row.purpose}`) },
    { id: 'segments', head: t('messages.segments'), align: 'end', secondary: true, cell: (row) => format.number(row.segments) },
    { id: 'at', head: t('messages.at'), secondary: true, cell: (row) => format.dateTime(row.createdAt) },
  ]
}

/** Sends a test message. */
function TestMessage({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const [phone, setPhone] = useState('')
  const [body, setBody] = useState('')
  const send = useMutation({
    mutationFn: () => api.create('sms-messages', { attributes: { phone, body } }),
    onSuccess: async () => {
      onClose()
      await forgetMessages(queryClient)
    },
  })
  const faults = useFaultTexts().listFaults(send.error)
  const { segments } = measureSegments(body)
  return (
    <Dialog
      title={t('test.title')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{ label: t('test.send'), onSubmit: () => send.mutate(), pending: send.isPending }}
    >
      <div className="admin-form">
        <FaultSummary title={admin('editor.problem')} errors={faults} />
        <TextInput
          name="phone"
          type="tel"
          label={t('test.phone')}
          hint={t('test.phone-hint')}
          value={phone}
          onChange={setPhone}
          error={faults.find(({ id }) => id === 'phone')?.message}
          required
        />
        <TextAreaInput
          name="body"
          label={t('messages.body')}
          hint={t('segments', { count: segments })}
          value={body}
          onChange={setBody}
          error={faults.find(({ id }) => id === 'body')?.message}
          required
        />
      </div>
    </Dialog>
  )
}
