import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { TextField } from 'react-aria-components/TextField'
import { useTranslation } from 'react-i18next'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { AdminIcon, type AdminIconName } from '#app/ui/admin/admin-icon.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { Notice } from '#app/ui/notice.tsx'
import { type FindableKind, findQuery, MIN_SEARCH_LENGTH } from '../administration.queries.ts'

export interface Command {
  id: string
  label: string
  icon: AdminIconName
  /** Link target, or … */
  href?: string
  /** … action. */
  onAction?: () => void
}

interface CommandPaletteProps {
  /** Pages that the viewer may open, and actions available anywhere. */
  commands: readonly Command[]
  /** Record types that the viewer can search. */
  findable: readonly FindableKind[]
  navigate: (href: string) => void
  onClose: () => void
}

const ICONS: Record<FindableKind, AdminIconName> = { projects: 'projects', surveys: 'surveys', hubs: 'hubs', people: 'people' }
const DEBOUNCE_MS = 200
/** ARIA role of the input. `Autocomplete` sets which list it controls. */
const COMBOBOX = { role: 'combobox' } as const

/** Command palette: pages match instantly; projects, surveys, hubs and people come from the API. */
export function CommandPalette({ commands, findable, navigate, onClose }: CommandPaletteProps) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const [typed, setTyped] = useState('')
  const words = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const asks = words.length >= MIN_SEARCH_LENGTH
  const { data = [], isError, isFetching } = useQuery({ ...findQuery(words, findable), enabled: asks })
  const wanted = normaliseText(typed.trim())
  const groups: { id: 'pages' | FindableKind; items: Command[] }[] = [
    { id: 'pages' as const, items: commands.filter(({ label }) => normaliseText(label).includes(wanted)) },
    ...(asks
      ? data.map(({ kind, found }) => ({
          id: kind,
          items: found.map(({ id, name, href }): Command => ({ id: `${kind}-${id}`, label: name, icon: ICONS[kind], href })),
        }))
      : []),
  ].filter(({ items }) => items.length > 0)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const waiting = isFetching || words !== typed.trim()
  const runCommand = (id: string) => {
    const command = groups.flatMap(({ items }) => items).find((item) => item.id === id)
    if (!command) return
    onClose()
    if (command.href) navigate(command.href)
    command.onAction?.()
  }
  return (
    <Dialog title={t('palette.title')} isOpen onClose={onClose} closeLabel={t('nav.close-dialog')}>
      <div className="palette">
        <Autocomplete inputValue={typed} onInputChange={setTyped}>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is opened to type */}
          <TextField className="field" autoFocus>
            <Label>{t('palette.label')}</Label>
            <Input className="input" {...COMBOBOX} aria-expanded={count > 0} />
          </TextField>
          <ListBox
            className="palette-list"
            aria-label={t('palette.results')}
            selectionMode="none"
            onAction={(key) => runCommand(String(key))}
            renderEmptyState={() => (waiting ? null : <p className="meta">{t('palette.none')}</p>)}
          >
            {groups.map(({ id, items }) => (
              <ListBoxSection key={id} id={id}>
                <Header className="palette-head">{t(`palette.groups.${id}`)}</Header>
                {items.map((item) => (
                  <ListBoxItem className="menu-item" key={item.id} id={item.id} textValue={item.label}>
                    <AdminIcon name={item.icon} />
                    {item.label}
                  </ListBoxItem>
                ))}
              </ListBoxSection>
            ))}
          </ListBox>
        </Autocomplete>
        <output className="visually-hidden">{waiting ? '' : t('palette.count', { count, number: format.number(count) })}</output>
        {isError && <Notice kind="error" title={t('load-failed')} />}
      </div>
    </Dialog>
  )
}
