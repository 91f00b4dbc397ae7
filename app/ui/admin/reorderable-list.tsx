import { memo, type ReactNode, useDeferredValue, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { Button } from '../button.tsx'
import { AdminIcon } from './admin-icon.tsx'
import { Dialog } from './dialog.tsx'
import { SelectInput } from './inputs.tsx'
import { Menu, type MenuAction } from './menu.tsx'

interface Orderable {
  id: string
  /** Its name for screen readers and move controls. */
  name: string
}

interface ReorderableListProps<Item extends Orderable> {
  label: string
  items: readonly Item[]
  children: (item: Item) => ReactNode
  /** Called with all ids in their new order and the id that was moved. */
  onReorder: (ids: string[], moved: string) => void
  selected?: string | undefined
  onSelect?: (id: string) => void
  /** Called once an item is pressed, or opened with Enter: arrow keys only select it. */
  onOpen?: () => void
  /** More actions for an item, below the move actions. */
  actions?: (item: Item) => readonly MenuAction[]
  words: {
    /** "Drag Hero" */
    drag: (name: string) => string
    /** "Hero: move and more" */
    menu: (name: string) => string
    up: string
    down: string
    /** "Move to…" */
    to: string
    /** "Move Hero to" */
    toTitle: (name: string) => string
    position: string
    /** "2 of 5" */
    place: (position: number, total: number) => string
    move: string
    cancel: string
    close: string
    /** Announced after a move: "Hero is now 2 of 5". */
    moved: (name: string, position: number, total: number) => string
  }
}

/**
 * A list that can be reordered by dragging, with the drag handle's keys (Enter, arrows, Enter), or from each item's menu: up, down, to a
 * position. The caller owns the order. During typing in a form beside it, changes of what items look like are drawn after the form: a
 * hundred items take longer than a key may.
 */
export function ReorderableList<Item extends Orderable>(props: ReorderableListProps<Item>) {
  const before = useDeferredValue(props)
  const isInPlace = before.selected === props.selected && isSameOrder(before.items, props.items)
  return <DrawnList list={isInPlace ? before : props} />
}

const isSameOrder = (one: readonly Orderable[], other: readonly Orderable[]): boolean =>
  one.length === other.length && one.every(({ id }, at) => id === other[at]?.id)

/** Drawn again only for other props. */
const DrawnList = memo(ItemList) as typeof ItemList

function ItemList<Item extends Orderable>({
  list: { label, items, children, onReorder, selected, onSelect, onOpen, actions, words },
}: {
  list: ReorderableListProps<Item>
}) {
  const [moving, setMoving] = useState<Item>()
  const [announcement, setAnnouncement] = useState('')

  const moveTo = (item: Item, index: number) => {
    const others = items.filter(({ id }) => id !== item.id).map(({ id }) => id)
    onReorder([...others.slice(0, index), item.id, ...others.slice(index)], item.id)
    setAnnouncement(words.moved(item.name, index + 1, items.length))
  }
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => Array.from(keys, (key) => ({ 'text/plain': items.find(({ id }) => id === key)?.name ?? '' })),
    onReorder: ({ keys, target }) => {
      const moved = items.filter(({ id }) => keys.has(id)).map(({ id }) => id)
      const rest = items.filter(({ id }) => !keys.has(id)).map(({ id }) => id)
      const at = rest.indexOf(String(target.key)) + (target.dropPosition === 'after' ? 1 : 0)
      if (moved[0] !== undefined) onReorder([...rest.slice(0, at), ...moved, ...rest.slice(at)], moved[0])
    },
  })
  const buildMoveActions = (item: Item): MenuAction[] => {
    const index = items.indexOf(item)
    return [
      { id: 'up', label: words.up, icon: 'move-up', disabled: index === 0, onAction: () => moveTo(item, index - 1) },
      { id: 'down', label: words.down, icon: 'move-down', disabled: index === items.length - 1, onAction: () => moveTo(item, index + 1) },
      { id: 'to', label: words.to, disabled: items.length < 3, onAction: () => setMoving(item) },
    ]
  }
  return (
    <>
      <GridList
        className="reorderable"
        aria-label={label}
        items={items}
        dependencies={[items, children, selected]}
        dragAndDropHooks={dragAndDropHooks}
        selectionMode={onSelect ? 'single' : 'none'}
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={selected === undefined ? [] : [selected]}
        onSelectionChange={(keys) => {
          const chosen = items.find(({ id }) => keys !== 'all' && keys.has(id))
          if (chosen) onSelect?.(chosen.id)
        }}
      >
        {(item) => (
          <GridListItem className="reorderable-item" id={item.id} textValue={item.name} {...(onOpen && { onPress: onOpen })}>
            <AriaButton className="drag-handle" slot="drag" aria-label={words.drag(item.name)}>
              <AdminIcon name="drag" />
            </AriaButton>
            <div className="reorderable-body">{children(item)}</div>
            <Menu
              label={words.menu(item.name)}
              trigger={<AdminIcon name="more" />}
              groups={[buildMoveActions(item), actions?.(item) ?? []].filter((group) => group.length > 0)}
            />
          </GridListItem>
        )}
      </GridList>
      <output className="visually-hidden">{announcement}</output>
      {moving && (
        <MoveDialog
          title={words.toTitle(moving.name)}
          words={words}
          total={items.length}
          position={items.indexOf(moving) + 1}
          onClose={() => setMoving(undefined)}
          onMove={(position) => {
            moveTo(moving, position - 1)
            setMoving(undefined)
          }}
        />
      )}
    </>
  )
}

interface MoveDialogProps extends Pick<ReorderableListProps<Orderable>, 'words'> {
  title: string
  total: number
  position: number
  onClose: () => void
  onMove: (position: number) => void
}

function MoveDialog({ title, words, total, position, onClose, onMove }: MoveDialogProps) {
  const [chosen, setChosen] = useState(String(position))
  return (
    <Dialog
      title={title}
      size="small"
      isOpen
      onClose={onClose}
      closeLabel={words.close}
      actions={
        <>
          <Button kind="secondary" type="button" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="button" onClick={() => onMove(Number(chosen))}>
            {words.move}
          </Button>
        </>
      }
    >
      <SelectInput
        name="position"
        label={words.position}
        value={chosen}
        onChange={setChosen}
        options={Array.from({ length: total }, (_, index) => ({ value: String(index + 1), label: words.place(index + 1, total) }))}
      />
    </Dialog>
  )
}
