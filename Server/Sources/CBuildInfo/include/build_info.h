// What the build says of itself.
#ifndef BUILD_INFO_H
#define BUILD_INFO_H

// The commit that the program was built from, or "unknown" if the build was not given BUILD_COMMIT.
const char *build_info_commit(void);

#endif
