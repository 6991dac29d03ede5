import ArgumentParser

struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "Start, update, end and watch Live Activities.",
        subcommands: [
            ActivityStart.self, ActivityUpdate.self, ActivityEnd.self, ActivityPut.self, ActivityList.self,
            ActivityShow.self, ActivityWatch.self, ActivityReplicas.self, ActivityHalt.self, ActivityResume.self,
            ActivityJoinSecret.self, ActivityMetrics.self,
        ])
}
