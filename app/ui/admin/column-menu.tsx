import { Button } from 'react-aria-components/Button'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { getButtonClass } from '../button.tsx'
import { Icon } from '../icon.tsx'
import type { Column } from './data-table.tsx'

interface ColumnMenuProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  hidden: readonly string[]
  onChange: (hidden: string[]) => void
}

/** Chooses which columns a table shows. Columns that name the row or hold its actions are always shown. */
export function ColumnMenu<Row>({ label, columns, hidden, onChange }: ColumnMenuProps<Row>) {
  const optional = columns.filter(({ names, acts }) => !names && !acts)
  return (
    <MenuTrigger>
      <Button className={getButtonClass({ kind: 'plain', size: 'small' })}>{label}</Button>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu
          className="menu"
          aria-label={label}
          selectionMode="multiple"
          selectedKeys={optional.filter(({ id }) => !hidden.includes(id)).map(({ id }) => id)}
          onSelectionChange={(shown) => onChange(shown === 'all' ? [] : optional.filter(({ id }) => !shown.has(id)).map(({ id }) => id))}
        >
          {optional.map(({ id, head }) => (
            <MenuItem className="menu-item menu-item-check" key={id} id={id} textValue={typeof head === 'string' ? head : id}>
              <Icon name="check" />
              {head}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

export const listVisibleColumns = <Row,>(columns: readonly Column<Row>[], hidden: readonly string[]): readonly Column<Row>[] =>
  columns.filter(({ id, names, acts }) => names || acts || !hidden.includes(id))
