/** The interface: messages, the commands in them, and their words. */
export { type Blank, blank, type Command, type CommandId, type Line, run, typedCommand, type Word } from './command.js'
export {
  again,
  count,
  duration,
  type Hole,
  joined,
  type Message,
  money,
  ownHelp,
  type Part,
  say,
  type Value,
  type Words,
} from './message.js'
export { type Edge, GLUE, type Next, nextCommands, saysAgain, textOf } from './render.js'
