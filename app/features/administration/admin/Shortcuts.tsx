import { useTranslation } from 'react-i18next'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SwitchInput } from '#app/ui/admin/inputs.tsx'
import type { Shortcut } from './use-shortcuts.ts'

interface ShortcutsProps {
  shortcuts: readonly Shortcut[]
  paletteKeys: string
  /** True if single-key shortcuts are on. */
  on: boolean
  onSwitch: (on: boolean) => void
  onClose: () => void
}

/** Lists all shortcuts in the administration, and lets the user turn off the single-key ones. */
export function Shortcuts({ shortcuts, paletteKeys, on, onSwitch, onClose }: ShortcutsProps) {
  const { t } = useTranslation('admin')
  return (
    <Dialog title={t('shortcuts.title')} isOpen onClose={onClose} closeLabel={t('nav.close-dialog')} size="small">
      <dl className="shortcuts">
        {[{ keys: [paletteKeys], label: t('palette.title') }, ...shortcuts].map(({ keys, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <SwitchInput name="single-keys" label={t('shortcuts.single')} hint={t('shortcuts.single-hint')} value={on} onChange={onSwitch} />
    </Dialog>
  )
}
