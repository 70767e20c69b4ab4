// The command class: help marks required options, one error lists all missing ones, and a setting typed as an option is named.

import { Command, CommanderError, Help, type Option } from 'commander'
import { distance } from 'fastest-levenshtein'
import { settingNames } from '../settings.ts'

/** Maximum edit distance between a mistyped word and the suggested name. */
const TYPOS = 2

/** A command; its subcommands are of this class too. */
export class CashwrapCommand extends Command {
  /** Alternative options: one of them is required. */
  alternatives: readonly Option[] = []

  constructor(name?: string) {
    super(name)
    const { optionDescription } = new Help()
    this.configureHelp({
      optionDescription: (option) => (option.mandatory ? '(required) ' : '') + optionDescription(option),
    })
  }

  override createCommand(name?: string): CashwrapCommand {
    return new CashwrapCommand(name)
  }

  /** Commander calls this for the first missing required option. */
  missingMandatoryOptionValue(): never {
    const missing = this.options.filter((option) => isMissing(this, option)).map(({ flags }) => `'${flags}'`)
    if (this.alternatives.length > 0 && this.alternatives.every((option) => isUnset(this, option)))
      missing.push(this.alternatives.map(({ flags }) => `'${flags}'`).join(' or '))
    const [noun, names] = missing.length === 1 ? ['option', missing[0]] : ['options', missing.join(', ')]
    throw new CommanderError(2, 'cashwrap.missingOptions', `required ${noun} ${names} not specified`)
  }

  /** Commander calls this for an option that the command does not have. */
  unknownOption(flag: string): never {
    const setting = settingOf(flag)
    const known = this.options.flatMap(({ long }) => long ?? [])
    const meant = nearest(flag, known)
    throw new CommanderError(
      2,
      'cashwrap.unknownOption',
      setting === undefined
        ? `unknown option '${flag}'${meant === undefined ? '' : ` (Did you mean ${meant}?)`}`
        : `unknown option '${flag}'. Set the environment variable instead: ${setting}=… cashwrap ${this.name()}`,
    )
  }
}

const isUnset = (command: Command, option: Option): boolean =>
  command.getOptionValue(option.attributeName()) === undefined
const isMissing = (command: Command, option: Option): boolean => option.mandatory && isUnset(command, option)

/** Marks options as alternatives: the command requires one of them. */
export function needsOneOf(command: Command, ...names: string[]): Command {
  const options = command.options.filter(({ long }) => names.includes(long ?? ''))
  for (const option of options) option.description = `(one is required) ${option.description}`
  if (command instanceof CashwrapCommand) command.alternatives = options
  return command
}

/** The setting with an option's name: PORT for `--port`, CASHWRAP_TRUST_PROXY for `--trust-proxy`. */
function settingOf(flag: string): string | undefined {
  const name = flag.replace(/^-+/, '').replace(/=.*$/, '').replaceAll('-', '_').toUpperCase()
  return settingNames.find((setting) => [name, `CASHWRAP_${name}`].includes(setting))
}

/** The closest known name, if one is close enough. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const [closest] = names
    .map((name) => ({ name, typos: distance(word, name) }))
    .filter(({ typos }) => typos <= TYPOS)
    .sort((a, b) => a.typos - b.typos)
  return closest?.name
}

/** Rejects an unknown command even next to `--help` or `--version`, which would otherwise exit with success. */
export function refuseUnknownCommand(program: Command, words: readonly string[]): void {
  let command = program
  for (const word of words) {
    if (command.commands.length === 0) return
    if (word === 'help' || word.startsWith('-')) continue
    const found = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (found === undefined) {
      // The argument of a command that has subcommands too.
      if (command.registeredArguments.length > 0) return
      const meant = nearest(
        word,
        command.commands.map((each) => each.name()),
      )
      const hint = meant === undefined ? '; `cashwrap --help` lists all commands' : ` (Did you mean ${meant}?)`
      throw new CommanderError(2, 'cashwrap.unknownCommand', `unknown command '${word}'${hint}`)
    }
    command = found
  }
}
