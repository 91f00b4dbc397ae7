interface ReadToken {
  kind: string
  text: string
}

/** Reads an expression from its tokens; operators of a later level bind more tightly. */
export abstract class TokenReader<Token extends ReadToken, Part> {
  readonly #tokens: readonly Token[]
  readonly #levels: readonly (readonly string[])[]
  #at = 0

  constructor(tokens: readonly Token[], levels: readonly (readonly string[])[]) {
    this.#tokens = tokens
    this.#levels = levels
  }

  /** What operators connect, such as a value or something in brackets. */
  protected abstract parsePart(): Part

  protected abstract joinParts(sign: string, left: Part, right: Part): Part

  get isDone(): boolean {
    return this.#at === this.#tokens.length
  }

  protected takeNext(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  protected takeSign(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return undefined
    this.#at += 1
    return token.text
  }

  parseLevel(level: number): Part {
    const signs = this.#levels[level]
    if (!signs) return this.parsePart()
    let left = this.parseLevel(level + 1)
    for (let sign = this.takeSign(...signs); sign; sign = this.takeSign(...signs))
      left = this.joinParts(sign, left, this.parseLevel(level + 1))
    return left
  }
}
