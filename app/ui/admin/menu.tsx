import { Fragment, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuItem, MenuTrigger, Separator } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { getButtonClass, type ButtonLook } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { AdminIcon, type AdminIconName } from './admin-icon.tsx'

export interface MenuAction {
  id: string
  label: string
  icon?: AdminIconName
  danger?: boolean
  disabled?: boolean
  /** Either an action, or … */
  onAction?: () => void
  /** … a link to a page. */
  href?: string
}

interface MenuProps {
  /** Id of the button, for code that returns focus to it. */
  id?: string
  /** The button's text, or its accessible name if there is a `trigger`. */
  label: string
  /** Content of the button instead of its label, such as an icon or an avatar. */
  trigger?: ReactNode
  look?: ButtonLook
  /** Groups of actions, with a separator in between. */
  groups: readonly (readonly MenuAction[])[]
}

/** A menu button. Arrow keys, first letters and Escape work as in any menu. */
export function Menu({ id: buttonId, label, trigger, look, groups }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger ? (
        <Button id={buttonId} className={look ? getButtonClass(look) : 'icon-button'} aria-label={label}>
          {trigger}
        </Button>
      ) : (
        <Button id={buttonId} className={getButtonClass(look)}>
          {label}
        </Button>
      )}
      <Popover className="popover" placement="bottom end" offset={4}>
        <AriaMenu className="menu" aria-label={label}>
          {groups.map((actions, index) => (
            <Fragment key={index}>
              {index > 0 && <Separator className="menu-line" />}
              {actions.map(({ id, label: words, icon, danger, disabled, onAction, href }) => (
                <MenuItem
                  className={classNames('menu-item', danger && 'menu-item-danger')}
                  key={id}
                  id={id}
                  textValue={words}
                  isDisabled={disabled}
                  onAction={onAction}
                  href={href}
                >
                  {icon && <AdminIcon name={icon} />}
                  {words}
                </MenuItem>
              ))}
            </Fragment>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
