import ArgumentParser

struct SegmentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "segment", abstract: "Save audiences under names.",
        subcommands: [SegmentList.self, SegmentShow.self, SegmentSet.self, SegmentRemove.self])
}
