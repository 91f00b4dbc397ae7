import { type Atrule, type CssNode, ident, type List, parse, type Rule, type Selector } from 'css-tree'
import { listWords, type StyleRule } from '../serve/page-styles.ts'

const BLOCKS_OF_RULES = new Set(['layer', 'media', 'supports', 'container'])
/** Browsers set it themselves. */
const OPEN = 'open'

/** The rules of a stylesheet, with what a page must contain for them to apply. A selector that is not understood asks for nothing. */
export function readStyleRules(css: string): StyleRule[] {
  const sheet = parse(css, { positions: true, parseValue: false, parseAtrulePrelude: false })
  return sheet.type === 'StyleSheet' ? readRules(sheet.children, css) : []
}

const readRules = (nodes: List<CssNode>, css: string): StyleRule[] =>
  nodes.toArray().flatMap((node) => {
    if (node.type === 'Comment') return []
    if (node.type === 'Rule') return [readRule(node, css)]
    return node.type === 'Atrule' && node.block && BLOCKS_OF_RULES.has(node.name)
      ? [{ opening: readOpening(node, css), rules: readRules(node.block.children, css) }]
      : [readWhole(node, css)]
  })

const FONT_FILE = /url\(["']?([^"')]+\.woff2)/

function readWhole(node: CssNode, css: string): StyleRule {
  const text = getSource(node, css)
  const [, font] = (node.type === 'Atrule' && node.name === 'font-face' && FONT_FILE.exec(text)) || []
  return font ? { text, font } : { text }
}

function readRule(rule: Rule, css: string): StyleRule {
  const text = getSource(rule, css)
  if (rule.prelude.type !== 'SelectorList') return { text }
  const selectors = rule.prelude.children.toArray().map((selector) => (selector.type === 'Selector' ? listNeededWords(selector) : []))
  return selectors.some((words) => words.length === 0) ? { text } : { text, selectors }
}

const readOpening = ({ name, prelude }: Atrule, css: string) => `@${name}${prelude ? ` ${getSource(prelude, css)}` : ''}`

function getSource({ loc }: CssNode, css: string): string {
  if (!loc) throw new Error('The stylesheet was parsed without positions')
  return css.slice(loc.start.offset, loc.end.offset)
}

/** Words without which nothing on a page matches the selector. */
function listNeededWords({ children }: Selector): string[] {
  const words = children.toArray().flatMap((part): string[] => {
    switch (part.type) {
      case 'ClassSelector':
      case 'IdSelector':
        return listWords(ident.decode(part.name))
      case 'TypeSelector':
        return listWords(part.name)
      case 'AttributeSelector': {
        const name = listWords(ident.decode(part.name.name))
        if (name.includes(OPEN)) return []
        return part.value && (part.matcher === '=' || part.matcher === '~=') ? [...name, ...listWords(readValue(part.value))] : name
      }
      case 'PseudoClassSelector':
        return part.name === 'is' || part.name === 'where' ? listWordsOfOnlyChoice(part.children) : []
      default:
        return []
    }
  })
  return [...new Set(words)]
}

const readValue = (value: { type: 'String'; value: string } | { type: 'Identifier'; name: string }): string =>
  value.type === 'String' ? value.value : ident.decode(value.name)

/** Of `:is(…)` with several selectors, any may match. */
function listWordsOfOnlyChoice(children: List<CssNode> | null): string[] {
  const list = children?.first
  const only = list?.type === 'SelectorList' && list.children.size === 1 ? list.children.first : undefined
  return only?.type === 'Selector' ? listNeededWords(only) : []
}
