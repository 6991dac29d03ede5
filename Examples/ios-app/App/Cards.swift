import EyotContract
import EyotKit
import PhoneSimulator
import SwiftUI

/// The actions of the screens. Cards are made through the recorder, which records ActivityKit's response. An app that
/// records nothing calls `Activity.request` here.
@MainActor
final class Cards: ObservableObject {
    /// The last error, in words.
    @Published private(set) var problem: String?
    /// The recorder; nil if its file cannot be written.
    private(set) var recorder: ActivityRecorder?

    /// The recording's file.
    static let file = URL.documentsDirectory.appending(path: "recording.jsonl")

    func launched(inBackground: Bool) {
        let os = RecordingHead.here(types: []).os
        do {
            let head = RecordingHead.here(types: [
                .of(MatchAttributes.self), .of(DeliveryAttributes.self), .of(WaitingListAttributes.self),
            ])
            let recorder = ActivityRecorder(log: try RecordingLog(at: Self.file, head: head), os: os)
            self.recorder = recorder
            Task {
                await recorder.launched(inBackground ? .background : .foreground)
                await recorder.follow(MatchAttributes.self)
                await recorder.follow(DeliveryAttributes.self)
                await recorder.follow(WaitingListAttributes.self)
            }
        } catch {
            problem = "The recording cannot be written: \(error.localizedDescription)"
        }
    }

    func moved(to phase: ScenePhase) {
        switch phase {
        case .active: recorder?.moved(to: .foreground)
        case .background: recorder?.moved(to: .background)
        default: break
        }
    }

    /// Starts a card from within the app. It has to be in the foreground.
    func start<Attributes: ActivityAttributes & Sendable>(
        _ attributes: Attributes, showing state: Attributes.ContentState, staleAfter seconds: TimeInterval
    ) where Attributes.ContentState: Sendable {
        // Always set a stale date, so that the card shows by itself when updates stop.
        let content = ActivityContent(state: state, staleDate: Date(timeIntervalSinceNow: seconds))
        let recorder = recorder
        Task {
            do {
                _ = try await recorder?.request(attributes, content)
                problem = nil
            } catch {
                problem = error.localizedDescription
            }
        }
    }

    /// Ends all cards of a type.
    func endAll<Attributes: ActivityAttributes & Sendable>(
        of type: Attributes.Type
    ) where Attributes.ContentState: Sendable {
        let ids = Activity<Attributes>.activities.map(\.id)
        let recorder = recorder
        Task {
            for id in ids { try? await recorder?.end(type, card: id, .immediate) }
        }
    }
}
