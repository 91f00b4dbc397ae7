import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldProps } from '#app/ui/field.tsx'
import { type Choice, type ChoiceSearch, SearchChoice, SearchChoices } from '#app/ui/admin/search-choice.tsx'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { useFormat } from '../use-format.ts'
import { RECORD_CHOICES, type RecordSource } from './record-sources.ts'

const DEBOUNCE_MS = 200
/** Renewed each time a list is opened, because records may have been added. */
const ALWAYS_STALE = 0

const foundQuery = (source: RecordSource, words: string) => ({
  queryKey: [...RECORD_CHOICES, 'found', source.key, words] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => source.find(words, signal),
})

const recordQuery = (source: RecordSource, id: string) => ({
  queryKey: [...RECORD_CHOICES, 'one', source.key[0], id] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => source.load(id, signal),
})

/** Searches the records of `source` on the server while the list that offers them is open. */
function useRecordSearch(source: RecordSource): ChoiceSearch {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const words = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const { data, isError, isPending, isPlaceholderData } = useQuery({
    ...foundQuery(source, words),
    enabled: isOpen,
    staleTime: ALWAYS_STALE,
    placeholderData: keepPreviousData,
  })
  const choices = data?.choices ?? []
  const total = data?.total ?? 0
  const isSearching = !isError && (isPending || isPlaceholderData || words !== typed.trim())
  const message = () => {
    if (isError) return t('load-failed')
    if (isSearching) return t('choice.searching')
    if (total === 0) return words ? t('choice.no-match', { words }) : t('choice.empty')
    if (total > choices.length) return t('choice.more', { count: total, shown: format.number(choices.length), total: format.number(total) })
    return undefined
  }
  const text = message()
  return {
    words: typed,
    onWordsChange: setTyped,
    isOpen,
    onOpenChange: (open) => {
      setOpen(open)
      setTyped('')
    },
    choices,
    isSearching,
    message: text,
    announcement: text ?? t('choice.found', { count: total, number: format.number(total) }),
  }
}

/** What `useFirstRecord` reads, for the loader of a page whose field begins with it: nobody can press a button before it is there. */
export const firstRecordQuery = (source: RecordSource) => foundQuery(source, '')

/** The first record of `source`, for a field that begins with one; undefined while it loads or if there is none. */
export function useFirstRecord(source: RecordSource, enabled = true): { first: Choice | undefined; total: number | undefined } {
  const { data } = useQuery({ ...firstRecordQuery(source), enabled })
  return { first: data?.choices[0], total: data?.total }
}

/** The name of a record, as far as the viewer may know it; an ellipsis while it loads. */
export function useRecordName(source: RecordSource, id: string | null): string | null {
  const { data } = useQuery({ ...recordQuery(source, id ?? ''), enabled: id !== null })
  if (id === null || data === null) return null
  return data?.name ?? '…'
}

type RecordFieldProps = Omit<FieldProps, 'label' | 'heading' | 'labelSize'> & { label: string; source: RecordSource }

interface RecordChoiceProps extends RecordFieldProps {
  /** Id of the chosen record, or null. */
  value: string | null
  onChange: (id: string | null) => void
  /** The choice of none: "Any department". Without it, a record must be chosen. */
  none?: string
  /** Shown for a record that is gone or hidden from the viewer. */
  unknown?: string
}

/** A record of the site, found by typing. The server searches, so it does not matter how many there are. */
export function RecordChoice({ source, value, onChange, none, unknown, ...field }: RecordChoiceProps) {
  const { t } = useTranslation('admin')
  const name = useRecordName(source, value)
  return (
    <SearchChoice
      {...field}
      findLabel={t('choice.find')}
      search={useRecordSearch(source)}
      value={value}
      shown={value === null ? (none ?? t('choice.choose')) : (name ?? unknown ?? t('choice.unknown'))}
      none={none}
      onChange={(chosen) => onChange(chosen?.id ?? null)}
    />
  )
}

interface RecordChoicesProps extends RecordFieldProps {
  value: readonly string[]
  onChange: (ids: string[]) => void
}

/** Several records of the site, found by typing. */
export function RecordChoices({ source, value, onChange, ...field }: RecordChoicesProps) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const loaded = useQueries({ queries: value.map((id) => recordQuery(source, id)) })
  const chosen = value.map((id, at) => {
    const { data } = loaded[at] ?? {}
    return { id, name: data === null ? t('choice.unknown') : (data?.name ?? '…') }
  })
  return (
    <SearchChoices
      {...field}
      findLabel={t('choice.find')}
      search={useRecordSearch(source)}
      chosen={chosen}
      shown={value.length === 0 ? t('choice.choose') : t('choice.chosen', { count: value.length, number: format.number(value.length) })}
      removeLabel={(name) => t('choice.remove', { name })}
      onChange={(next) => onChange(next.map(({ id }) => id))}
    />
  )
}
