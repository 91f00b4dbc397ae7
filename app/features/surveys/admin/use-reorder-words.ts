import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReorderableList } from '#app/ui/admin/reorderable-list.tsx'

/** Texts for a reorderable list. */
export function useReorderWords(): ComponentProps<typeof ReorderableList>['words'] {
  const { t } = useTranslation('survey-admin')
  return {
    drag: (name) => t('move.drag', { name }),
    menu: (name) => t('move.menu', { name }),
    up: t('move.up'),
    down: t('move.down'),
    to: t('move.to'),
    toTitle: (name) => t('move.to-title', { name }),
    position: t('move.position'),
    place: (position, total) => t('move.place', { position, total }),
    move: t('move.move'),
    cancel: t('cancel'),
    close: t('close'),
    moved: (name, position, total) => t('move.moved', { name, position, total }),
  }
}
