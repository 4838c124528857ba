/** Something about a configuration file that only its owner can put right. */
export class ConfigTrouble extends Error {
  override readonly name = "ConfigTrouble";
}
