/**
 * The migrations that `0001_init` replaces, with the SHA-256 of each script. A database that has
 * exactly these has the schema that `0001_init` makes.
 */
export const SQUASHED: ReadonlyMap<string, string> = new Map([
  ['0001_init', 'fa3f0af064aa72e7f641a35c76862ddaf0289398d22435a733c6f7ca1f505b6a'],
  ['0010_basis', '2fc36c320dd5cf10c84123e14a480adcab6b6a4ddd62e08672f8b0355bce80d5'],
  ['0012_detected_criteria', '3ce32d3a08b9af01c8c0e096440b570783e9310eeb5d572cf6ca229919d25ee3'],
  ['0013_ledger_outputs', 'ba1ddc48bb869f2283df9de9feb1ce376c90ccd56172229dd69d4c3ea8abde12'],
  ['0014_provider_trouble', '817c92f60159da8d86b4c0453008cc2a5ec02c9ca9fcadf1b9e7ad6cf144dba1'],
  ['0015_elections', 'b88eae93f12a7ec909b03b2e2c06b7089a8ec4c6c744a563c4e52f65c3b6820b'],
  ['0016_delegates', 'd961f7a1263adea5ee72c324d31944e86eb2dad3b097ef8d6cac227d0973dbd0'],
  ['0017_asking', '10e04aadec4aa225d36ca66627cf1462ae93ab4563641ade125d6181402a6e47'],
  ['0018_limits', 'e1cf5f08372570abfd6b6b2f1e63b63379f22afc895d3bed9846537a8c053743'],
  ['0019_compaction', '1b3f31ee6504f613c9b0c1dac2ccfbccaf2c5160136e08d0fd2a6bb0b803b3bc'],
  ['0020_isolation', '9e34d825e2027696578d7ca787c02aef76314ab104d22fa4e27490f326aff0b5'],
  ['0022_console', 'd9c0a6ffc0884d334e3d421f2425d2ca54ef04f975f83e2abec3d33e24cf50e4'],
  ['0023_served_models', '04dbd0c627b315d7bbe29f415edd827905c731680bf7eb3e0d59357efa2223c9'],
  ['0024_checkpoints', 'daf03e2d6699d78e18b4a1151db0ab7dc2d4cfbf5c8975df4776e19de765628b'],
  ['0025_history', '277877acf07e0e06bb26f09a02e2568b76378dcd647e01bc120681b5e41be7c9'],
  ['0026_operations', 'db538733506d0870fed49f0d0326e3c13bed1ac3dca9f9b05019e1980f298add'],
  ['0027_inbox_order', '9047e97580c1dcf3d75cc4b1b3f6244fb756ff53495e76904e937f1c51ab4769'],
  ['0028_repeated_call', '376fea8bf86dd98598c15d425f8144b3d8ea7a048c66f01f1c4a1cbb7ceb504a'],
  ['0029_undo', 'faf7775a283bb45e33e38047f4f4f640d65d589518c21116605fec0c811e3d7c'],
  ['0030_helper_is_init', 'd6b43ebec2e627d9c1617250a5d64b01045d482d288974debb43d65217ba6f5a'],
]);
