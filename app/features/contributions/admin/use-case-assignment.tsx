import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { BulkDialog } from '#app/shell/bulk-dialog.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import type { ChosenRows } from '#app/ui/admin/row-selection.tsx'
import { Button } from '#app/ui/button.tsx'
import { caseModeratorsQuery, forgetContributions, type QueuedCase } from '../contributions.queries.ts'

const NOBODY = ''

/** Assigns the selected cases to a team member. Returns a button for the table's action bar, and its dialog. */
export function useCaseAssignment(chosen: ChosenRows<QueuedCase>): { action: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('moderation-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [assignee, setAssignee] = useState(NOBODY)
  const ids = chosen.rows.map(({ id }) => id)
  const moderators = useQuery({ ...caseModeratorsQuery(ids), enabled: isOpen && ids.length > 0 }).data
  const countTexts = (count: number) => t('cases.texts', { count, number: format.number(count) })
  return {
    action: (
      <Button kind="secondary" size="small" onClick={() => setOpen(true)}>
        {t('cases.assign.open')}
      </Button>
    ),
    dialog: isOpen && (
      <BulkDialog
        rows={chosen.rows}
        nameOf={(row) => row.name}
        refuse={(row) => (row.state === 'open' ? undefined : t('cases.already'))}
        act={async (row) => {
          await api.update('moderation-cases', row.id, { attributes: { assigneeId: assignee === NOBODY ? null : assignee } })
        }}
        title={(count) => t('cases.assign.title', { what: countTexts(count) })}
        text={t('cases.assign.text')}
        confirmLabel={t('cases.assign.open')}
        done={(count) => t('cases.assign.done', { what: countTexts(count) })}
        ready={moderators !== undefined}
        onEnd={(failed) => {
          chosen.onChange(new Set(failed.map((row) => row.id)))
          void forgetContributions(queryClient)
        }}
        onClose={() => setOpen(false)}
      >
        <SelectInput
          name="assigneeId"
          label={t('cases.assignee')}
          value={assignee}
          onChange={setAssignee}
          options={[
            { value: NOBODY, label: t('cases.nobody') },
            ...(moderators ?? []).map((person) => ({ value: person.id, label: person.name })),
          ]}
        />
      </BulkDialog>
    ),
  }
}
