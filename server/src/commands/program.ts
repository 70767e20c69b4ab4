// The command line's own Command: required options are marked in help and named all at once, and a setting typed as an option is told as one.

import { Command, CommanderError, Help, type Option } from 'commander'
import { distance } from 'fastest-levenshtein'
import { settingNames } from '../settings.ts'

/** How far a word may be from the name that was probably meant. */
const TYPOS = 2

/** A command, and all commands below it. */
export class CashwrapCommand extends Command {
  /** Options of which one is needed. */
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

  /** Commander calls it for the first required option that is missing. */
  missingMandatoryOptionValue(): never {
    const missing = this.options.filter((option) => isMissing(this, option)).map(({ flags }) => `'${flags}'`)
    if (this.alternatives.length > 0 && this.alternatives.every((option) => isUnset(this, option)))
      missing.push(this.alternatives.map(({ flags }) => `'${flags}'`).join(' or '))
    const [noun, names] = missing.length === 1 ? ['option', missing[0]] : ['options', missing.join(', ')]
    throw new CommanderError(2, 'cashwrap.missingOptions', `required ${noun} ${names} not specified`)
  }

  /** Commander calls it for an option that the command does not have. */
  unknownOption(flag: string): never {
    const setting = settingOf(flag)
    const known = this.options.flatMap(({ long }) => long ?? [])
    const meant = nearest(flag, known)
    throw new CommanderError(
      2,
      'cashwrap.unknownOption',
      setting === undefined
        ? `unknown option '${flag}'${meant === undefined ? '' : ` (Did you mean ${meant}?)`}`
        : `unknown option '${flag}'. It is a setting of the environment: ${setting}=… cashwrap ${this.name()}`,
    )
  }
}

const isUnset = (command: Command, option: Option): boolean =>
  command.getOptionValue(option.attributeName()) === undefined
const isMissing = (command: Command, option: Option): boolean => option.mandatory && isUnset(command, option)

/** Says that a command needs one of some options; its action refuses none of them by itself. */
export function needsOneOf(command: Command, ...names: string[]): Command {
  const options = command.options.filter(({ long }) => names.includes(long ?? ''))
  for (const option of options) option.description = `(one is required) ${option.description}`
  if (command instanceof CashwrapCommand) command.alternatives = options
  return command
}

/** The setting that an option's name says: `--port` is PORT, `--trust-proxy` CASHWRAP_TRUST_PROXY. */
function settingOf(flag: string): string | undefined {
  const name = flag.replace(/^-+/, '').replace(/=.*$/, '').replaceAll('-', '_').toUpperCase()
  return settingNames.find((setting) => [name, `CASHWRAP_${name}`].includes(setting))
}

/** The name that was probably meant, if one is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const [closest] = names
    .map((name) => ({ name, typos: distance(word, name) }))
    .filter(({ typos }) => typos <= TYPOS)
    .sort((a, b) => a.typos - b.typos)
  return closest?.name
}

/** Refuses a word that is no command also where `--help` or `--version` stands beside it: those would pass for a success. */
export function refuseUnknownCommand(program: Command, words: readonly string[]): void {
  let command = program
  for (const word of words) {
    if (command.commands.length === 0) return
    if (word === 'help' || word.startsWith('-')) continue
    const found = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (found === undefined) {
      const meant = nearest(
        word,
        command.commands.map((each) => each.name()),
      )
      const hint = meant === undefined ? '' : ` (Did you mean ${meant}?)`
      throw new CommanderError(2, 'cashwrap.unknownCommand', `unknown command '${word}'${hint}`)
    }
    command = found
  }
}
